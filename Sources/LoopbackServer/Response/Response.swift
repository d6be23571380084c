import Foundation

/// The response of a route.
struct Response: Sendable {
    /// How the body goes out.
    enum Body: Sendable {
        /// In one piece with the head, with a `Content-Length`.
        case whole(Data)

        /// In the chunked coding, one write for each piece.
        case chunked([Data])

        /// Asterisks one by one with a pause between them in seconds, with a `Content-Length`.
        case dripped(count: Int, pause: TimeInterval)

        /// Piece by piece as it is made.
        case generated(GeneratedBody)
    }

    var status: Int
    var headers: [(name: String, value: String)]
    var body: Body

    /// How long to wait before the first byte, in seconds.
    var delay: TimeInterval = 0

    /// - Parameters:
    ///   - status: The status code.
    ///   - contentType: `nil` for none at all.
    ///   - body: Goes out in one piece.
    init(status: Int = 200, contentType: String?, body: Data = Data()) {
        self.status = status
        headers = contentType.map { [("Content-Type", $0)] } ?? []
        self.body = .whole(body)
    }

    /// The same with a header field more.
    func adding(_ name: String, _ value: String) -> Response {
        var response = self
        response.headers.append((name, value))
        return response
    }
}

extension Response {
    static let htmlType = "text/html; charset=utf-8"

    static func json(_ object: [String: JSONValue]) -> Response {
        Response(contentType: "application/json", body: JSONValue.object(object).data)
    }

    static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", body: Data(text.utf8))
    }

    static func html(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: htmlType, body: Data(text.utf8))
    }

    /// An answer without a body.
    static func empty(status: Int) -> Response {
        Response(status: status, contentType: htmlType)
    }

    /// A page that says no more than its status does.
    static func page(status: Int) -> Response {
        let title = "\(status) \(ReasonPhrase.of(status))"
        return .html("<!doctype html>\n<html lang=en>\n<title>\(title)</title>\n<h1>\(title)</h1>\n", status: status)
    }

    static func redirect(to location: String, status: Int = 302) -> Response {
        page(status: status).adding("Location", location)
    }
}
