import Foundation

/// The routes that tell what they were sent.
enum EchoRoutes {
    static let common = ["GET", "POST", "PUT", "PATCH", "DELETE"]

    static let all = [
        Route(["GET"], "get") { request, _ in .json(Echo(request).summary) },
        Route(["POST"], "post") { request, _ in .json(Echo(request).full) },
        Route(["PUT"], "put") { request, _ in .json(Echo(request).full) },
        Route(["PATCH"], "patch") { request, _ in .json(Echo(request).full) },
        Route(["DELETE"], "delete") { request, _ in .json(Echo(request).full) },
        Route(nil, "anything") { request, _ in .json(Echo(request).anything) },
        Route(nil, "anything/**") { request, _ in .json(Echo(request).anything) },
        Route(common, "delay/*") { request, parameters in
            guard let seconds = Double(parameters[0]), seconds >= 0 else { return .page(status: 400) }
            var response = Response.json(Echo(request).fullWithoutJSON)
            response.delay = min(seconds, 10)
            return response
        },
    ]
}
