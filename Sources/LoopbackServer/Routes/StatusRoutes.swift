import Foundation

/// The routes that answer with a status asked for, and the redirects.
enum StatusRoutes {
    static let all = [
        Route(nil, "status/*") { _, parameters in status(parameters[0]) },
        Route(["GET"], "redirect/*") { _, parameters in redirect(parameters[0], body: .page(status: 302)) },
        Route(["GET"], "relative-redirect/*") { _, parameters in redirect(parameters[0], body: .empty(status: 302)) },
        Route(EchoRoutes.common, "redirect-to") { request, _ in redirectTo(request) },
    ]

    private static let teapot = """
              _______
             (_______)      _
          .-'         '-.  //
         /               \\//
        |   short and     |
        |   stout         |
         \\               /
          '-.._______..-'

        """

    private static let refusal: [String: JSONValue] = [
        "message": .string("Client did not request a supported media type."),
        "accept": .array(["image/webp", "image/svg+xml", "image/jpeg", "image/png", "image/*"].map(JSONValue.string)),
    ]

    private static func status(_ text: String) -> Response {
        // A status below 200 would be taken for an interim one, and the client would wait for ever.
        guard let status = Int(text), (200...999).contains(status) else {
            return .text("Invalid status code", status: 400)
        }
        switch status {
        case 301, 302, 303, 305, 307:
            return Response(status: status, contentType: nil).adding("Location", "/redirect/1")
        case 401:
            return AuthRoutes.challenge
        case 304, 407:
            return Response(status: status, contentType: nil)
        case 406:
            var response = Response.json(refusal)
            response.status = status
            return response
        case 418:
            return Response(status: status, contentType: nil, body: Data(teapot.utf8))
        default:
            return .empty(status: status)
        }
    }

    /// One of a row of redirects. In httpbin only the first has a page for people.
    private static func redirect(_ text: String, body response: Response) -> Response {
        guard let count = Int(text), count > 0 else { return .page(status: 404) }
        return response.adding("Location", count == 1 ? "/get" : "/relative-redirect/\(count - 1)")
    }

    /// Text whose characters outside ASCII are percent-encoded, since header fields should be ASCII (RFC 9110, section 5.5).
    private static func encoded(_ location: String) -> String {
        location.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: "!"..."~")) ?? ""
    }

    private static func redirectTo(_ request: ReceivedRequest) -> Response {
        // Names without regard to case, and in the query or in a form, as httpbin has it.
        var query = Query(request)
        if request.header("Content-Type")?.hasPrefix("application/x-www-form-urlencoded") == true {
            query.pairs += FormDecoder.pairs(String(decoding: request.body, as: UTF8.self))
        }
        guard let location = query.value("url") else { return .page(status: 400) }
        let status = query.integer("status_code") ?? 302
        return Response(status: (300..<400).contains(status) ? status : 302, contentType: Response.htmlType)
            .adding("Location", encoded(location))
    }
}
