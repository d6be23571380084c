import Foundation

/// The routes about header fields.
enum HeaderRoutes {
    static let all = [
        Route(["GET"], "headers") { request, _ in .json(["headers": .object(Echo(request).headers)]) },
        Route(["GET", "POST"], "response-headers") { request, _ in responseHeaders(Query(request).pairs) },
        Route(["GET"], "etag/*") { request, parameters in entity(parameters[0], request) },
    ]

    /// Sets the fields asked for, and lists all of them in the body: also the length of that body.
    private static func responseHeaders(_ pairs: [(name: String, value: String)]) -> Response {
        var length = 0
        var response = Response.json([:])
        // The length settles once its own digits do.
        for _ in 0..<4 {
            let fields = [("Content-Length", String(length)), ("Content-Type", "application/json")] + pairs
            response = .json(Echo.flatten(fields))
            guard case .whole(let body) = response.body, body.count != length else { break }
            length = body.count
        }
        return pairs.reduce(response) { $0.adding($1.name, $1.value) }
    }

    /// Answers conditional requests (RFC 9110, section 13.1).
    private static func entity(_ tag: String, _ request: ReceivedRequest) -> Response {
        if let value = request.header("If-None-Match") {
            if names(value, tag) { return Response(status: 304, contentType: nil).adding("ETag", tag) }
        } else if let value = request.header("If-Match"), !names(value, tag) {
            return .empty(status: 412)
        }
        return .json(Echo(request).summary).adding("ETag", tag)
    }

    private static func names(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { item in
            var item = item.trimmingCharacters(in: .whitespaces)
            if item.hasPrefix("W/") { item.removeFirst(2) }
            return item == "*" || item.trimmingCharacters(in: ["\""]) == tag
        }
    }
}
