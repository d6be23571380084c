import Teapot

/// A whole response with the status that was expected.
struct CheckedAnswer: Sendable {
    let http: HTTPURLResponse
    let data: Data

    /// The request as the server saw it. Of httpbin's answers each has some of these.
    struct Echo: Decodable, Sendable {
        let method: String?
        let url: String?
        private let data: String?
        private let headers: [String: String]?
        let cookies: [String: String]?

        /// A header field; the case of its name does not matter.
        func header(_ name: String) -> String? {
            headers?.first { $0.key.lowercased() == name.lowercased() }?.value
        }

        /// The body. One that is not UTF-8 comes as a `data:` URL.
        var body: Data {
            let text = data ?? ""
            let mark = "data:application/octet-stream;base64,"
            guard text.hasPrefix(mark), let bytes = Data(base64Encoded: String(text.dropFirst(mark.count))) else {
                return Data(text.utf8)
            }
            return bytes
        }
    }

    func header(_ name: String) -> String? { Teapot.HeaderFields(http)[name] }

    /// The cookies that `/cookies` received, by name; `none` if there were none.
    func cookies() throws -> String {
        let cookies = try echo().cookies ?? [:]
        return cookies.isEmpty ? "none" : cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
    }

    func echo() throws -> Echo { try JSONDecoder().decode(Echo.self, from: data) }
}
