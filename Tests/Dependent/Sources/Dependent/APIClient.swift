import Teapot

/// An API client as users write them.
final class APIClient {
    var teapot: Teapot

    init(teapot: Teapot) {
        self.teapot = teapot
    }

    func user(completion: @escaping @Sendable (String) -> Void) {
        teapot.get("users/1") { result in
            switch result {
            case .success(let json, let response):
                guard let json = json?.dictionary else { return completion("\(response.status) without an object") }
                completion("\(response.status) \(json["name"] as? String ?? "without a name")")
            case .failure(let json, let response, let error):
                completion("\(response.status) \(error.description) (\(json == nil ? "no JSON" : "JSON"))")
            }
        }
    }

    func create(_ params: [String: Any], completion: @escaping @Sendable (String) -> Void) {
        teapot.post("users", parameters: params, allowsCellular: false) { result in
            switch result {
            case .success(.some(let json), _):
                switch json {
                case .dictionary(let dictionary): completion("an object of \(dictionary.count)")
                case .array(let array): completion("an array of \(array.count)")
                }
            case .success(nil, let response): completion("\(response.status) without JSON")
            case .failure(_, _, let error): completion(error.description)
            }
        }
    }
}
