import Teapot

class AccountClient {
    var teapot: Teapot

    init(baseURL: URL) {
        teapot = Teapot(baseURL: baseURL)
    }

    func name(completion: @escaping @Sendable (String?, TeapotError?) -> Void) {
        teapot.get("/v2/account") { result in
            switch result {
            case .success(let json, _): completion(json?.dictionary?["name"] as? String, nil)
            case .failure(_, _, let error): completion(nil, error)
            }
        }
    }

    func copy(completion: @escaping @Sendable (NetworkResult) -> Void) {
        let teapot = teapot
        teapot.get("/v2/account") { (result: NetworkResult) in
            guard case .success(let json, _) = result else { return completion(result) }
            teapot.post("/v2/accounts", parameters: RequestParameter(json), completion: completion)
        }
    }
}

struct Account: Codable, Sendable {
    let name: String
}

extension AccountClient {
    func name() async throws(TeapotError) -> String {
        try await teapot.get("v2/account", as: Account.self).name
    }
}

enum MigratingSamples {
    typealias Done = @Sendable (NetworkResult) -> Void

    static func form(_ teapot: Teapot, done: @escaping Done) {
        teapot.post(
            "login",
            parameters: RequestParameter(Data("user=ada&word=tea".utf8)),
            headerFields: ["Content-Type": "application/x-www-form-urlencoded"],
            completion: done
        )
    }

    static func signed(_ teapot: Teapot, sign: (Data) -> String, done: @escaping Done) {
        let parameter = RequestParameter(["amount": 12, "currency": "NOK"])
        let signature = sign(parameter.data ?? Data())
        teapot.post("payments", parameters: parameter, headerFields: ["X-Signature": signature], completion: done)
    }

    static func sharingCookies(baseURL: URL) -> Teapot {
        let configuration = URLSessionConfiguration.default
        configuration.httpCookieStorage = .shared
        let teapot = Teapot(baseURL: baseURL, configuration: configuration)
        return teapot
    }
}
