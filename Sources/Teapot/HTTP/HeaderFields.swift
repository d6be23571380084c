public import TeapotFoundation

extension Teapot {
    /// The header fields of a message, looked up without regard to case (RFC 9110, section 5.1).
    ///
    /// On Linux, `HTTPURLResponse.allHeaderFields` is case-sensitive and changes the case of some names. If field names differ only
    /// in case, their values are joined, as far as FoundationNetworking keeps them. Trailing blanks of values are removed.
    ///
    /// A field of a response that is not a list, such as `Location` or `ETag`, has one value even if it came more than once: equal
    /// ones count once, and of different ones the first counts. Where that could be dangerous, the value is all of them, joined with
    /// commas, and Teapot does not rely on it: `Location`, `Content-Length`, `Content-Location`, `Content-Range`,
    /// `Content-Disposition`, `Expires` and `Server`.
    public struct HeaderFields: Sendable, Sequence {
        private let fields: [(name: String, value: String)]
        /// The secrets that the description redacts.
        private let secrets: SecretPolicy

        /// The header fields of a response, sorted by name.
        public init(_ response: HTTPURLResponse) { self.init(response, .standard) }

        init(_ response: HTTPURLResponse, _ secrets: SecretPolicy) {
            fields =
                response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
                    guard let name = field.key as? String else { return }
                    fields[name] = SingleField.value("\(field.value)", of: name).withoutOuterBlanks
                }.sortedFields
            self.secrets = secrets
        }

        /// The header fields of a request.
        package init(_ request: URLRequest, _ secrets: SecretPolicy = .standard) {
            fields = (request.allHTTPHeaderFields ?? [:]).sortedFields
            self.secrets = secrets
        }

        /// The value of a field; the values of a repeated field that is a list are joined with a comma (RFC 9110, section 5.3). `nil`
        /// if missing.
        public subscript(name: String) -> String? {
            let own = FieldName(name)
            let values = fields.filter { FieldName($0.name) == own }.map(\.value)
            return values.count < 2 ? values.first : SingleField.value(values.joined(separator: ", "), of: name)
        }

        /// Iterates over names and values, sorted by name.
        public func makeIterator() -> some IteratorProtocol<(name: String, value: String)> { fields.makeIterator() }
    }
}

extension HTTPURLResponse {
    /// The value of a header field, without the blanks around it: see ``Teapot/Teapot/HeaderFields``.
    package func field(_ name: String) -> String? {
        value(forHTTPHeaderField: name).map { SingleField.value($0, of: name).withoutOuterBlanks }
    }
}

extension String {
    /// The text without leading and trailing spaces and tabs, which do not belong to a field value (RFC 9110, section 5.5).
    var withoutOuterBlanks: String { String(self[...].withoutOuterBlanks) }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs.
    package var withoutOuterBlanks: Substring {
        let isVisible = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: isVisible), let last = utf8.lastIndex(where: isVisible) else {
            return ""
        }
        return Substring(utf8[first...last])
    }
}

extension Teapot.HeaderFields: CustomStringConvertible {
    /// One field per line, secrets redacted.
    public var description: String { secrets.redacted(fields) }
}
