public import Foundation

extension Teapot.Response: CustomStringConvertible {
    /// Status, URL with secrets redacted, and length; header fields and body are not shown.
    public var description: String {
        "\(http.shortDescription), \(data.count) bytes"
    }
}

extension Teapot {
    /// A whole response with a status from 200 to 299.
    public struct Response: Sendable {
        /// The bytes of the body, decompressed; empty if there was none.
        public let data: Data
        /// The status and header fields as Foundation has them.
        public let http: HTTPURLResponse

        package init(data: Data, http: HTTPURLResponse) {
            self.data = data
            self.http = http
        }

        /// The status code.
        public var status: Int { http.statusCode }

        /// The header fields, looked up without regard to case.
        public var headers: HeaderFields { HeaderFields(http) }

        /// The body as JSON; `nil` when it is not a JSON object or an array of objects. It is parsed at each call.
        public var json: JSON? { try? JSON(data: data) }
    }
}
