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
        guard let boundary = HeaderParameters(contentType).value("boundary"), !boundary.isEmpty else { return }
        // With the line break before the first one, all delimiters look alike.
        let body = Data("\r\n".utf8) + body
        let delimiter = Data("\r\n--\(boundary)".utf8)
        var searched = body.startIndex
        var partStart: Data.Index?
        while let range = body.range(of: delimiter, in: searched..<body.endIndex) {
            searched = range.upperBound
            // Any other continuation is content that only begins like a delimiter (RFC 2046, section 5.1.1).
            let isLast = body[searched...].starts(with: "--".utf8)
            let padding = body[searched...].prefix { $0 == .space || $0 == .tab }
            guard isLast || body[padding.endIndex...].starts(with: "\r\n".utf8) else { continue }
            if let partStart { add(part: body[partStart..<range.lowerBound]) }
            if isLast { return }
            partStart = padding.endIndex
            searched = padding.endIndex
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
        let parameters = HeaderParameters(disposition)
        guard let name = parameters.value("name") else { return }
        if parameters.value("filename") != nil {
            files.append(File(name: name, contentType: contentType, data: Data(content)))
        } else {
            fields.append((name, String(decoding: content, as: UTF8.self)))
        }
    }
}
