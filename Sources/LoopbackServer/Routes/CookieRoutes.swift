import Foundation

/// The routes that set cookies and tell which came back.
enum CookieRoutes {
    static let all = [
        Route(["GET"], "cookies") { request, _ in .json(["cookies": .object(cookies(of: request))]) },
        Route(["GET"], "cookies/set") { request, _ in setting(Query(request).pairs) },
        Route(["GET"], "cookies/set/*/*") { _, parameters in setting([(parameters[0], parameters[1])]) },
    ]

    private static func setting(_ cookies: [(name: String, value: String)]) -> Response {
        cookies.reduce(.redirect(to: "/cookies")) { response, cookie in
            response.adding("Set-Cookie", "\(cookie.name)=\(cookie.value); Path=/")
        }
    }

    private static func cookies(of request: ReceivedRequest) -> [String: JSONValue] {
        let pairs = (request.header("Cookie") ?? "").split(separator: ";").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return (halves[0], halves.count > 1 ? halves[1] : "")
        }
        return Dictionary(pairs) { first, _ in first }.mapValues(JSONValue.string)
    }
}
