import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn, .exitTests)
struct MultipartFormDataFileTests {
    @Test func `is the same in a file as in memory`() throws {
        try TemporaryFolder.with { directory in
            let file = directory.appending(path: "notes.txt")
            let image = directory.appending(path: "image")
            try Data("some text".utf8).write(to: file)
            try Data("GIF89a\u{1}\0\u{1}\0".utf8).write(to: image)
            var form = MultipartFormData(boundary: "B1")
            form.append("Jane", name: "author")
            form.append(file: file, name: "file")
            form.append(file: image, name: "image", filename: "a\"b.gif")
            form.append(file: image, name: "image", contentType: "image/x-tea")
            form.append(Data("x".utf8), name: "more", filename: "x")
            form.append(Data(#"{"a":1}"#.utf8), name: "meta", filename: nil, contentType: "application/json")
            let expected =
                "--B1\r\n"
                + "Content-Disposition: form-data; name=\"author\"\r\n\r\n"
                + "Jane\r\n"
                + "--B1\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"notes.txt\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n"
                + "some text\r\n"
                + "--B1\r\n"
                + "Content-Disposition: form-data; name=\"image\"; filename=\"a%22b.gif\"\r\n"
                + "Content-Type: image/gif\r\n\r\n"
                + "GIF89a\u{1}\0\u{1}\0\r\n"
                + "--B1\r\n"
                + "Content-Disposition: form-data; name=\"image\"; filename=\"image\"\r\n"
                + "Content-Type: image/x-tea\r\n\r\n"
                + "GIF89a\u{1}\0\u{1}\0\r\n"
                + "--B1\r\n"
                + "Content-Disposition: form-data; name=\"more\"; filename=\"x\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n"
                + "x\r\n"
                + "--B1\r\n"
                + "Content-Disposition: form-data; name=\"meta\"\r\n"
                + "Content-Type: application/json\r\n\r\n"
                + "{\"a\":1}\r\n"
                + "--B1--\r\n"
            #expect(try String(decoding: form.data(), as: UTF8.self) == expected)
            let body = try form.body()
            #expect(body.data == nil)
            #expect(body.contentType == "multipart/form-data; boundary=B1")
            #expect(try String(decoding: Data(contentsOf: #require(body.file)), as: UTF8.self) == expected)
            withExtendedLifetime(body) {}
        }
    }

    /// Around the length of a piece, 256 KB.
    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 524_288, 1_000_000])
    func `keeps bytes unchanged`(count: Int) throws {
        try TemporaryFolder.with { directory in
            let file = directory.appending(path: "f")
            let bytes = GeneratedFile.bytes(0..<count)
            try bytes.write(to: file)
            var form = MultipartFormData(boundary: "B1")
            form.append(file: file, name: "n")
            let head = "--B1\r\nContent-Disposition: form-data; name=\"n\"; filename=\"f\"\r\n"
            let type = "Content-Type: application/octet-stream\r\n\r\n"
            let expected = Data((head + type).utf8) + bytes + Data("\r\n--B1--\r\n".utf8)
            #expect(try form.data() == expected)
            let body = try form.body()
            #expect(try Data(contentsOf: #require(body.file)) == expected)
            withExtendedLifetime(body) {}
        }
    }

    @Test func `keeps the temporary file for as long as the body`() throws {
        try TemporaryFolder.with { directory in
            let file = directory.appending(path: "f")
            try Data("text".utf8).write(to: file)
            var form = MultipartFormData()
            form.append(file: file, name: "n")
            var body: Teapot.Request.Body? = try form.body()
            var request: Teapot.Request? = Teapot.Request(.post, body: body)
            let path = try #require(body?.file?.path)
            #expect(path != file.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            body = nil
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(request?.body?.file?.path == path)
            request = nil
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    /// In a process of its own, for its own directory for temporary files and its own limits.
    @Test func `leaves nothing behind when it fails`() async {
        await #expect(processExitsWith: .success) {
            try TemporaryFolder.with { directory in
                let temporary = directory.appending(path: "temporary")
                try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
                func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: temporary.path) }
                let file = directory.appending(path: "f")
                try Data(count: 1_000_000).write(to: file)
                var form = MultipartFormData()
                form.append(file: file, name: "n")

                setenv("TMPDIR", temporary.path, 1)
                do {
                    let body = try form.body()
                    #expect(try left() == [#require(body.file?.lastPathComponent)])
                }
                #expect(try left() == [])

                // A full disk, as far as the writing goes.
                #if canImport(Glibc)
                    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                #else
                    let resource = RLIMIT_FSIZE
                #endif
                var limit = rlimit()
                try #require(getrlimit(resource, &limit) == 0)
                let unlimited = limit
                limit.rlim_cur = 600_000
                try #require(setrlimit(resource, &limit) == 0)
                signal(SIGXFSZ, SIG_IGN)
                let full = #expect(throws: TeapotError.self) { try form.body() }
                #expect(full?.type == .fileError)
                #expect(full?.failureReason?.contains(temporary.path) == true)
                #expect(full?.failureReason?.hasSuffix(": File too large") == true)
                #expect(try left() == [])
                // Files that the process writes when it ends, such as its coverage, may be larger.
                limit = unlimited
                try #require(setrlimit(resource, &limit) == 0)

                setenv("TMPDIR", directory.appending(path: "none").path, 1)
                let missing = #expect(throws: TeapotError.self) { try form.body() }
                #expect(missing?.type == .fileError)
                #expect(missing?.failureReason?.hasSuffix(": No such file or directory") == true)
            }
        }
    }

    @Test func `refuses a file that cannot be read`() throws {
        try TemporaryFolder.with { directory in
            let good = directory.appending(path: "good")
            try Data("text".utf8).write(to: good)
            let missing = directory.appending(path: "missing")
            var form = MultipartFormData()
            form.append(file: good, name: "n")
            form.append(file: missing, name: "n")
            for encode in [{ _ = try form.data() }, { _ = try form.body() }] as [() throws -> Void] {
                let error = #expect(throws: TeapotError.self, performing: encode)
                #expect(error?.type == .fileError)
                #expect(error?.failureReason == "\(missing.path): No such file or directory")
            }
        }
    }
}
