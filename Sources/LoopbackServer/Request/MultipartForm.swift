import Foundation

/// A `multipart/form-data` body, taken apart (RFC 7578).
struct MultipartForm {
    /// One file of the form.
    struct File {
        let name: String
        let contentType: String
        let data: Data
    }

    private(set) var fields: [(name: String, value: String)] = []
    private(set) var files: [File] = []

    /// Takes a body apart. What is not a whole part is left out.
    ///
    /// - Parameters:
    ///   - body: The body of the request.
    ///   - contentType: The value of its `Content-Type` field, which names the boundary.
    init(_ body: Data, contentType: String) {
        guard let boundary = Self.parameter("boundary", in: contentType), !boundary.isEmpty else { return }
        // With the line break before the first one, all delimiters look alike.
        let body = Data("\r\n".utf8) + body
        let delimiter = Data("\r\n--\(boundary)".utf8)
        var delimiters: [Range<Data.Index>] = []
        while let range = body.range(
            of: delimiter,
            in: (delimiters.last?.upperBound ?? body.startIndex)..<body.endIndex
        ) {
            delimiters.append(range)
        }
        for (left, right) in zip(delimiters, delimiters.dropFirst()) {
            add(part: body[left.upperBound..<right.lowerBound])
        }
    }

    private mutating func add(part: Data) {
        guard let end = part.range(of: Data("\r\n\r\n".utf8)) else { return }
        let content = part[end.upperBound...]
        var disposition = ""
        var contentType = "application/octet-stream"
        let lines = String(decoding: part[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        for line in lines {
            let halves = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2 else { continue }
            if halves[0].isEqualIgnoringCase(to: "Content-Disposition") { disposition = halves[1] }
            if halves[0].isEqualIgnoringCase(to: "Content-Type") { contentType = halves[1] }
        }
        guard let name = Self.parameter("name", in: disposition) else { return }
        if Self.parameter("filename", in: disposition) != nil {
            files.append(File(name: name, contentType: contentType, data: Data(content)))
        } else {
            fields.append((name, String(decoding: content, as: UTF8.self)))
        }
    }

    /// A parameter of a header value, such as `b` in `a; name=b` or `a; name="b"`.
    private static func parameter(_ name: String, in value: String) -> String? {
        for item in value.split(separator: ";").dropFirst() {
            let halves = item.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, halves[0].isEqualIgnoringCase(to: name) else { continue }
            return halves[1].trimmingCharacters(in: ["\""])
        }
        return nil
    }
}
