import Foundation
import Teapot

/// A client as an iOS app of 2018 has it: Swift 5, completion handlers, dictionaries, errors of its own.
class ProfileAPI {
    static let shared = ProfileAPI(teapot: Teapot(baseURL: baseURL))

    // swift-format-ignore: NeverForceUnwrap
    private static let baseURL = URL(string: "https://api.example.com")!

    var teapot: Teapot
    var session: String?

    init(teapot: Teapot) {
        self.teapot = teapot
    }

    enum Outcome {
        case success([String: Any])
        case failure(String, Int)
    }

    func profile(_ path: String, _ completion: @escaping (Outcome) -> Void) {
        teapot.get(path, headerFields: ["X-Client": "app"]) { result in
            switch result {
            case .success(let json, let response):
                guard let dictionary = json?.dictionary else {
                    return completion(.failure("no object", response.status))
                }
                completion(.success(dictionary))
            case .failure(let json, let response, let error):
                let message = json?.dictionary?["message"] as? String
                completion(.failure(message ?? error.localizedDescription, response.statusCode))
            }
        }
    }

    /// Signs what it sends, and says how long it is.
    func save(_ profile: [String: Any], to path: String, _ completion: @escaping (Outcome) -> Void) {
        let parameter = RequestParameter(profile)
        let body = parameter.data ?? Data()
        let headers = ["Content-Length": "\(body.count)", "X-Checksum": "\(checksum(of: body))"]
        teapot.put(path, parameters: parameter, headerFields: headers) { result in
            switch result {
            case .success(let json, _): completion(.success(json?.dictionary ?? [:]))
            case .failure(_, let response, let error): completion(.failure(error.description, response.statusCode))
            }
        }
    }

    func logIn(_ name: String, _ password: String, _ completion: @escaping (Bool) -> Void) {
        let header = teapot.basicAuthenticationHeader(username: name, password: password)
        teapot.get("basic-auth/\(name)/tea", headerFields: header) { result in
            switch result {
            case .success(let json, _):
                self.session = json?.dictionary?["user"] as? String
                completion(true)
            case .failure(_, let response, _):
                completion(response.statusCode != 401)
            }
        }
    }

    func upload(_ picture: Data, to path: String, _ completion: @escaping (NetworkResult) -> Void) {
        let boundary = "Boundary-\(UUID().uuidString)"
        let body = teapot.multipartData(from: picture, boundary: boundary, filename: "me.gif")
        let headers = [
            "Content-Type": "multipart/form-data; boundary=\(boundary)",
            "Content-Length": String(body.count),
        ]
        teapot.post(path, parameters: RequestParameter(body), headerFields: headers) { completion($0) }
    }

    /// Sends the JSON of one call with the next call.
    func copy(_ path: String, to other: String, _ completion: @escaping (NetworkResult) -> Void) {
        teapot.get(path) { (result: NetworkResult) in
            switch result {
            case .success(let json, _):
                self.teapot.post(other, parameters: json, timeoutInterval: 30) { completion($0) }
            case .failure: completion(result)
            }
        }
    }

    func checksum(of data: Data) -> Int {
        return data.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    }
}
