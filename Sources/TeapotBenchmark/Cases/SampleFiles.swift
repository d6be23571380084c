import Foundation
import LoopbackServer

/// The files of the benchmark's server, which another server can have too.
enum SampleFiles {
    /// A JSON object of 150 bytes.
    static let small = "small.json"
    /// An array of 1,000 JSON objects, 90 KB.
    static let large = "large.json"
    /// 100 MB that are no text.
    static let download = "download.bin"
    /// Answers a `POST` with the small object.
    static let post = "post.json"

    /// 100 MB of lines.
    static let lines = "lines.txt"
    /// Answers every other request of a connection with 503, and the one after it with the small object. A server of files
    /// cannot do that.
    static let retry = "retry.json"

    static let lineCount = 1_000_000
    static let downloadSize = 100_000_000

    /// As Foundation's decoders make it of the small object.
    struct User: Decodable, Sendable {
        let id: Int
        let name: String
        let email: String
        let isActive: Bool
        let roles: [String]
        let balance: Double
    }

    static let smallContent = Data(
        """
        {"id": 47, "name": "Grace Hopper", "email": "grace.hopper@example.com", "isActive": true, \
        "roles": ["author", "editor"], "balance": 1024.5, "age": 85}
        """.utf8
    )

    static let largeContent = Data(
        "[\((0..<1_000).map { object($0) }.joined(separator: ","))]".utf8
    )

    private static func object(_ number: Int) -> String {
        let id = 100_000 + number
        return
            #"{"id": \#(id), "name": "Item \#(id)", "price": 12.50, "isNew": \#(number % 2 == 0), "tags": ["a", "b"]}"#
    }

    /// The files by their names. The download takes no memory until it is looked at: it is of zeros.
    static func contents() -> [String: Data] {
        [
            small: smallContent, large: largeContent, download: Data(count: downloadSize), post: smallContent,
            lines: linesContent,
        ]
    }

    private static var linesContent: Data {
        let line = Data((String(repeating: "A line that is read. ", count: 4) + "It has 99 bytes\n").utf8)
        let block = (0..<lineCount / 100).reduce(into: Data()) { block, _ in block += line }
        return (0..<100).reduce(into: Data(capacity: 100 * block.count)) { content, _ in content += block }
    }

    /// The answers of the server on a connection to a request for ``retry``.
    static let retryScript: Script = {
        let failure = Script.Step.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
        let success = Script.Step.send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(smallContent.count)\r\n\r\n"
                + String(decoding: smallContent, as: UTF8.self)
        )
        return Script((0..<100_000).flatMap { _ in [failure, .readRequest, success, .readRequest] })
    }()

    /// Writes the files, so that another server can offer them. Few of those answer a `POST`, too.
    static func write(to directory: String) throws {
        for (name, content) in contents() {
            let file = URL(fileURLWithPath: directory).appending(path: name)
            do {
                try content.write(to: file)
            } catch {
                throw CaseFailure("\(file.path) cannot be written: \(error.explanation)")
            }
        }
    }

    static func answers() -> [String: StoredAnswer] {
        let answers = contents().map { name, content in
            let types = [download: "application/octet-stream", lines: "text/plain"]
            return ("/\(name)", StoredAnswer(contentType: types[name] ?? "application/json", body: content))
        }
        return Dictionary(uniqueKeysWithValues: answers)
    }
}
