internal import Foundation

extension Teapot {
    /// What an API says about an error in a body of type `application/problem+json` (RFC 9457).
    ///
    /// A member that is missing or of another type than the RFC says is `nil` (section 3.1). The texts are the server's: show them
    /// to developers, or to users who trust it.
    public struct ProblemDetails: Sendable, CustomStringConvertible {
        /// A URI reference that identifies the kind of problem, as it stands; `about:blank` where there is none (section 3.1.1).
        public let type: String
        /// The status as the body says it. That of the response is ``TeapotError/responseStatus``.
        public let status: Int?
        /// A short summary of the kind of problem.
        public let title: String?
        /// What is wrong in this case.
        public let detail: String?
        /// A URI reference that identifies this case, as it stands.
        public let instance: String?

        /// The object as it came.
        private let data: Data

        /// Reads the details; `nil` if the bytes are not a JSON object.
        init?(_ data: Data) {
            guard let members = try? JSONDecoder().decode(Members.self, from: data) else { return nil }
            type = members.text(.type) ?? "about:blank"
            status = try? members.container.decode(Int.self, forKey: .status)
            title = members.text(.title)
            detail = members.text(.detail)
            instance = members.text(.instance)
            self.data = data
        }

        /// The members that the RFC does not name (section 3.2), as `JSONSerialization` makes them. They are parsed at each call;
        /// ``TeapotError/decode(_:using:)`` makes a type of them.
        public var extensions: [String: Any] {
            let members = (try? JSON(data: data))?.dictionary ?? [:]
            return members.filter { CodingKeys(stringValue: $0.key) == nil }
        }

        /// Title and detail, or else the type, on one line of 500 characters at most, secrets of ``SecretPolicy/standard``
        /// redacted.
        public var description: String {
            let texts = [title, detail].compactMap { $0 }
            let text = texts.isEmpty ? type : texts.joined(separator: ": ")
            return SecretPolicy.standard.redacted(line: String(text.prefix(500)))
        }

        private enum CodingKeys: String, CodingKey { case type, status, title, detail, instance }

        private struct Members: Decodable {
            let container: KeyedDecodingContainer<CodingKeys>

            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: CodingKeys.self)
            }

            func text(_ key: CodingKeys) -> String? { try? container.decode(String.self, forKey: key) }
        }
    }
}

extension TeapotError {
    /// What the API says about the error (RFC 9457); `nil` unless the body is a JSON object and its `Content-Type` is
    /// `application/problem+json`. It is parsed at each call.
    public var problem: Teapot.ProblemDetails? {
        guard let data, let type = response?.field("Content-Type") else { return nil }
        return MediaType(type).name == "application/problem+json" ? Teapot.ProblemDetails(data) : nil
    }
}
