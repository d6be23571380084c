import Foundation

extension Data {
    /// Parses a body as JSON: the bytes as they are, and only if that fails in the charset of the response, since looking for
    /// bytes that are not UTF-8 copies the body.
    func parsedAsJSON<Value>(of response: ResponseHead?, _ parse: (Data) throws -> Value) throws -> Value {
        do { return try parse(self) } catch {
            guard let json = response?.json(of: self) else { throw error }
            return try parse(json)
        }
    }
}

extension ResponseHead {
    /// See ``Teapot/Teapot/Response/text``.
    func text(of data: Data) -> String? {
        let start = Array(data.prefix(3))
        if start == [0xEF, 0xBB, 0xBF] { return Self.text(of: data, after: 3, .utf8) }
        if start.prefix(2) == [0xFE, 0xFF] { return Self.text(of: data, after: 2, .utf16BigEndian) }
        if start.prefix(2) == [0xFF, 0xFE] { return Self.text(of: data, after: 2, .utf16LittleEndian) }
        return MediaType(field("Content-Type") ?? "").encoding.flatMap { Self.text(of: data, after: 0, $0) }
    }

    /// A body of the response in UTF-8, if Foundation's JSON parsers do not recognize its encoding; `nil` if they do, or if it is
    /// not text in the declared charset.
    ///
    /// JSON is UTF-8 (RFC 8259, section 8.1), also where a server declares another charset for all of its responses, and Foundation
    /// recognizes UTF-16 and UTF-32. Only bytes that cannot be UTF-8 are read in the declared charset.
    func json(of data: Data) -> Data? {
        guard String(data: data, encoding: .utf8) == nil, !data.prefix(4).contains(0) else { return nil }
        return text(of: data).map { Data($0.utf8) }
    }

    @inline(never)
    private static func text(of data: Data, after markLength: Int, _ encoding: String.Encoding) -> String? {
        let isWide = encoding == .utf16BigEndian || encoding == .utf16LittleEndian
        // Foundation drops an incomplete code unit.
        guard !isWide || data.count.isMultiple(of: 2) else { return nil }
        return String(data: data.dropFirst(markLength), encoding: encoding)
    }
}
