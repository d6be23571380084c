import LoopbackServer
import Teapot
import TestSupport

extension SoakCall {
    private struct Arguments: Decodable {
        let args: [String: String]
    }

    private struct Digest: Decodable {
        let count: Int
        let digest: String
    }

    private struct Sent: Codable {
        let number: Int
    }

    private struct Echo: Decodable {
        let json: Sent
    }

    private struct Line: Decodable {
        let id: Int
    }

    static let successes = [
        SoakCall(name: "GET, closure", share: 200) { client, number in
            let result = await result { client.teapot.get("get?number=\(number)", completion: $0) }
            if let error = result.error { throw error }
            try WrongContent.unless(result.text("args", "number") == "\(number)", "the query")
        },
        SoakCall(name: "GET, async, decoded", share: 200) { client, number in
            let echo = try await client.teapot.get("get?number=\(number)", as: Arguments.self)
            try WrongContent.unless(echo.args["number"] == "\(number)", "the query")
        },
        SoakCall(name: "POST of JSON", share: 120) { client, number in
            let echo = try await client.teapot.post("post", body: Sent(number: number), as: Echo.self)
            try WrongContent.unless(echo.json.number == number, "the body")
        },
        SoakCall(name: "PUT of a file", share: 80) { client, _ in
            let digest: Digest = try await client.teapot.upload("digest", fromFile: client.upload, method: .put)
                .decode()
            try WrongContent.unless(digest.count == SoakClient.fileSize && digest.digest == client.digest, "the body")
        },
        SoakCall(name: "download", share: 60) { client, number in
            let file = client.folder.file("download-\(number)")
            try await client.teapot.download("file/\(SoakClient.fileSize)", to: file)
            try WrongContent.unless(try Data(contentsOf: file) == client.content, "the file")
            try FileManager.default.removeItem(at: file)
        },
        SoakCall(name: "image", share: 60) { client, _ in
            let result = await imageResult { client.teapot.downloadImage(path: "image/png", completion: $0) }
            if let error = result.error { throw error }
            try WrongContent.unless(result.image != nil, "the image")
        },
        SoakCall(name: "bytes as they come", share: 60) { client, _ in
            var body = Data()
            for try await piece in try await client.teapot.bytes("file/\(SoakClient.fileSize)?chunked=1").chunks {
                body += piece
            }
            try WrongContent.unless(body == client.content, "the body")
        },
        SoakCall(name: "lines as they come", share: 60) { client, _ in
            var numbers: [Int] = []
            for try await line in try await client.teapot.bytes("stream/20").lines {
                numbers.append(try JSONDecoder().decode(Line.self, from: Data(line.utf8)).id)
            }
            try WrongContent.unless(numbers == Array(0..<20), "the lines")
        },
        SoakCall(name: "lines, given up", share: 20) { client, _ in
            for try await _ in try await client.teapot.bytes("stream/100").lines { break }
        },
        SoakCall(name: "redirects", share: 50) { client, number in
            let path = "redirect-to?url=/redirect-to%3Furl%3D/get%253Fnumber%253D\(number)"
            let echo = try await client.teapot.get(path, as: Arguments.self)
            try WrongContent.unless(echo.args["number"] == "\(number)", "the query")
        },
    ]
}
