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
    public struct HeaderFields: Sendable, Sequence, CustomStringConvertible {
        private enum Source: Sendable {
            case fields([String: String])
            /// To find one value, Foundation's object is not needed. It sets the capitals of all names for every transport.
            case head(ResponseHead)
        }

        private let source: Source
        /// The secrets that the description redacts.
        private let secrets: SecretPolicy

        /// The header fields of a response, sorted by name.
        public init(_ response: HTTPURLResponse) { self.init(.foundation(response), .standard) }

        init(_ head: ResponseHead, _ secrets: SecretPolicy = .standard) {
            source =
                if case .foundation(let response) = head { .fields(Self.fields(of: response)) } else { .head(head) }
            self.secrets = secrets
        }

        package init(_ request: URLRequest, _ secrets: SecretPolicy = .standard) {
            source = .fields(request.allHTTPHeaderFields ?? [:])
            self.secrets = secrets
        }

        private static func fields(of response: HTTPURLResponse) -> [String: String] {
            var fields: [String: String] = [:]
            for case let (name as String, value) in response.allHeaderFields {
                fields[name] = SingleField.value("\(value)", of: name).withoutOuterBlanks
            }
            return fields
        }

        private var fields: [String: String] {
            switch source {
            case .fields(let fields): fields
            case .head(let head): Self.fields(of: head.http)
            }
        }
        private var sorted: [(name: String, value: String)] { fields.sortedFields }

        /// The value of a field, a repeated list joined with commas (RFC 9110, section 5.3); `nil` if it is missing.
        public subscript(name: String) -> String? {
            if case .head(let head) = source { return head.field(name) }
            var same: [String: String] = [:]
            for (other, value) in fields where FieldName.isSame(other, name) { same[other] = value }
            let values = same.sortedFields.map(\.value)
            return values.count < 2 ? values.first : SingleField.value(values.joined(separator: ", "), of: name)
        }

        /// Iterates over names and values, sorted by name.
        public func makeIterator() -> some IteratorProtocol<(name: String, value: String)> { sorted.makeIterator() }

        /// One field per line, secrets redacted.
        public var description: String { secrets.redacted(sorted) }
    }
}
