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

    /// The files by their names. The large one takes no memory until it is looked at: it is of zeros.
    static func contents() -> [String: Data] {
        [
            small: smallContent, large: largeContent, download: Data(count: downloadSize), post: smallContent,
        ]
    }

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
            let isBinary = name == download
            return (
                "/\(name)",
                StoredAnswer(contentType: isBinary ? "application/octet-stream" : "application/json", body: content)
            )
        }
        return Dictionary(uniqueKeysWithValues: answers)
    }
}
