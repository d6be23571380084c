import Foundation

/// The routes that want credentials.
enum AuthRoutes {
    static var challenge: Response {
        Response(status: 401, contentType: nil).adding("WWW-Authenticate", "Basic realm=\"Fake Realm\"")
    }

    static let all = [
        Route(["GET"], "basic-auth/*/*") { request, parameters in
            authenticated(request, parameters) ?? challenge
        },
        Route(["GET"], "hidden-basic-auth/*/*") { request, parameters in
            authenticated(request, parameters) ?? .empty(status: 404)
        },
        Route(["GET"], "bearer") { request, _ in
            guard let value = request.header("Authorization"), value.hasPrefix("Bearer ") else {
                return .empty(status: 401).adding("WWW-Authenticate", "Bearer")
            }
            return .json(["authenticated": .bool(true), "token": .string(String(value.dropFirst(7)))])
        },
    ]

    private static func authenticated(_ request: ReceivedRequest, _ parameters: [String]) -> Response? {
        let words = (request.header("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        let expected = Data("\(parameters[0]):\(parameters[1])".utf8)
        guard words.count == 2, words[0].lowercased() == "basic", Data(base64Encoded: String(words[1])) == expected
        else {
            return nil
        }
        return .json(["authenticated": .bool(true), "user": .string(parameters[0])])
    }
}
