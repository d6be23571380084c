/// Finds the route for a request.
enum Router {
    private static let routes: [String: [Route]] = Dictionary(
        grouping: [
            EchoRoutes.all, StatusRoutes.all, AuthRoutes.all, CookieRoutes.all, HeaderRoutes.all, BodyRoutes.all,
            StreamRoutes.all, DigestRoutes.all, FileRoutes.all,
        ].joined(),
        by: \.firstSegment
    )

    static func response(to request: ReceivedRequest) -> Response {
        // Empty segments count, so that `/get/` is another path than `/get`.
        let segments = request.path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        ).map { FormDecoder.decode($0, plusIsSpace: false) }
        for route in routes[segments.first ?? ""] ?? [] {
            guard let parameters = route.parameters(in: segments) else { continue }
            return answer(request, by: route, parameters)
        }
        return .page(status: 404)
    }

    private static func answer(_ request: ReceivedRequest, by route: Route, _ parameters: [String]) -> Response {
        if let methods = route.methods, !methods.contains(request.method) {
            if request.method != "HEAD" || !methods.contains("GET") {
                let allowed = methods.contains("GET") ? methods + ["HEAD", "OPTIONS"] : methods + ["OPTIONS"]
                let answer: Response = request.method == "OPTIONS" ? .empty(status: 200) : .page(status: 405)
                return answer.adding("Allow", allowed.sorted().joined(separator: ", "))
            }
        }
        return route.handler(request, parameters)
    }
}
