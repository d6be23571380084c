import Foundation

extension Teapot {
    /// The details of an API's error, from a body of type `application/problem+json` (RFC 9457).
    ///
    /// A member that is missing or has the wrong type is `nil` (section 3.1). The texts come from the server: show them to
    /// developers, or to users who trust it.
    public struct ProblemDetails: Sendable, CustomReflectable {
        /// A URI reference that identifies the kind of problem, unchanged; `about:blank` if it is missing (section 3.1.1).
        public let type: String
        /// The status according to the body. The status of the response is ``TeapotError/responseStatus``.
        public let status: Int?
        /// A short summary of the kind of problem.
        public let title: String?
        /// An explanation of this case.
        public let detail: String?
        /// A URI reference that identifies this case, unchanged.
        public let instance: String?

        private let data: Data
        private let secrets: SecretPolicy

        /// Parses the details; `nil` if the bytes are not a JSON object.
        init?(_ data: Data, _ secrets: SecretPolicy) {
            guard let members = try? JSONDecoder().decode(Members.self, from: data) else { return nil }
            type = members.text(.type) ?? Self.unknownType
            status = try? members.container.decode(Int.self, forKey: .status)
            title = members.text(.title)
            detail = members.text(.detail)
            instance = members.text(.instance)
            self.data = data
            self.secrets = secrets
        }

        /// The members that the RFC does not define (section 3.2), as `JSONSerialization` makes them. They are parsed at each
        /// call; ``TeapotError/decode(_:using:)`` decodes them as a type.
        public var extensions: [String: Any] {
            var members = (try? JSON(data: data))?.dictionary ?? [:]
            for key in CodingKeys.allCases { members[key.rawValue] = nil }
            return members
        }

        /// Title and detail, or else the type, on one line of 500 characters at most, the secrets of the call redacted.
        var summary: String {
            let text = if let title, let detail { title + ": " + detail } else { title ?? detail ?? type }
            return String(secrets.redacted(line: text).unicodeScalars.prefix(500))
        }

        /// Title and detail, or else the type, secrets redacted.
        public var customMirror: Mirror { Mirror(self, shown: ["problem": summary]) }

        static let unknownType = "about:blank"

        private enum CodingKeys: String, CodingKey, CaseIterable { case type, status, title, detail, instance }

        private struct Members: Decodable {
            let container: KeyedDecodingContainer<CodingKeys>
            init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: CodingKeys.self) }
            func text(_ key: CodingKeys) -> String? { try? container.decode(String.self, forKey: key) }
        }
    }
}

extension TeapotError {
    /// The API's details of the error (RFC 9457); `nil` unless the body is a JSON object and its `Content-Type` is
    /// `application/problem+json`. They are parsed at each call.
    public var problem: Teapot.ProblemDetails? {
        guard let data, let head, let type = head.field("Content-Type") else { return nil }
        guard MediaType(type).name == "application/problem+json" else { return nil }
        // A member that cannot be read is no failure, so the charset counts at once.
        return Teapot.ProblemDetails(head.json(of: data) ?? data, details.secrets)
    }

    /// The text of the body on one line, secrets redacted; `nil` if it is not text, or if they cannot be recognized.
    var serverReason: String? {
        if let summary = problem?.summary, summary != Teapot.ProblemDetails.unknownType { return summary }
        guard let head, let data, let text = wholeResponse?.text else { return nil }
        let type = head.field("Content-Type").map { MediaType($0).name }
        let isText =
            if let type { type.hasPrefix("text/") || type.contains("json") } else {
                // Of XML, secrets would not be found.
                JSONScanner.value(of: data) != nil
                    || !text.utf8.contains { $0 == UInt8(ascii: "<") || $0 < 0x20 && !(0x09...0x0D ~= $0) }
            }
        return isText ? details.secrets.beginning(of: text, 200) : nil
    }
}
