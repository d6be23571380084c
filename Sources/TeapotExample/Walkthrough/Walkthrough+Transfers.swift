import Teapot

extension Walkthrough {
    func showTransfers() async {
        await checklist.step(
            "download to a file",
            code: """
                let file = directory.url.appending(path: "leaves.bin")
                let bar = ProgressBar("leaves.bin")
                try await teapot.download("bytes/65536", to: file) { bar.show($0) }
                """
        ) {
            let directory = try TemporaryDirectory()
            let file = directory.url.appending(path: "leaves.bin")
            let bar = ProgressBar("leaves.bin")
            try await teapot.download("bytes/65536", to: file) { bar.show($0) }
            try expect(65_536, found: Data(contentsOf: file).count)
            return bar.text
        }

        await checklist.step("resume a download") {
            let directory = try TemporaryDirectory()
            let file = directory.url.appending(path: "alphabet.txt")
            // The same API over an unreliable connection.
            let unreliable = Teapot(baseURL: client.teapot.baseURL, transport: InterruptedTransport(after: 40_000))
            let error = try await error { () throws(TeapotError) in
                try await unreliable.download("range/65536", to: file, resumes: true)
            }
            try expect(.dataTaskError, found: error.type)

            let bar = ProgressBar("alphabet.txt")
            let response = try await client.teapot.download("range/65536", to: file, resumes: true) { bar.show($0) }
            try expect(206, found: response.status)
            try expect(Data((0..<65_536).map { UInt8(ascii: "a") + UInt8($0 % 26) }), found: Data(contentsOf: file))
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
            try expect(["alphabet.txt"], found: names)
            return "\(bar.text), after it broke off at \(ByteCount.text(40_000))"
        }

        await checklist.step("upload a form with a file") {
            let directory = try TemporaryDirectory()
            let file = directory.url.appending(path: "notes.txt")
            let text = String(repeating: "Buy tea. Water the plants.\n", count: 2_000)
            try Data(text.utf8).write(to: file)

            var form = MultipartFormData()
            form.append("Ada \"the first\"", name: "author")
            form.append(file: file, name: "notes", contentType: "text/plain")
            let bar = ProgressBar("notes.txt")
            let request = try Teapot.Request(.post, path: "post", body: form.body())
            let echo = try await client.teapot.upload(request) { bar.show($0) }.decode(FormEcho.self)
            try expect(["author": "Ada \"the first\""], found: echo.form)
            try expect(["notes": text], found: echo.files)
            return bar.text
        }
    }

    func showStream() async {
        await checklist.step(
            "read lines as they come",
            code: """
                var lines: [Line] = []
                for try await line in try await teapot.bytes("stream/5").lines {
                    try lines.append(JSONDecoder().decode(Line.self, from: Data(line.utf8)))
                }
                """
        ) {
            struct Line: Decodable {
                let id: Int
            }
            var lines: [Line] = []
            for try await line in try await teapot.bytes("stream/5").lines {
                try lines.append(JSONDecoder().decode(Line.self, from: Data(line.utf8)))
            }
            try expect([0, 1, 2, 3, 4], found: lines.map(\.id))
            return "lines " + lines.map { "\($0.id)" }.joined(separator: ", ")
        }
    }
}
