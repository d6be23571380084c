import Foundation

/// A response as it came over the wire.
struct RawResponse {
    let status: Int
    let headers: [(name: String, value: String)]
    var body = Data()

    init(head: String) throws {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw RawClient.Failure.unreadable(lines[0])
        }
        self.status = status
        headers = lines.dropFirst().filter { !$0.isEmpty }.map { line in
            let halves = line.components(separatedBy: ": ")
            return (halves[0], halves.dropFirst().joined(separator: ": "))
        }
    }

    var json: NSDictionary? {
        try? JSONSerialization.jsonObject(with: body) as? NSDictionary
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
