import Teapot

/// The samples of the article "Credentials and retries". `SamplesRunTests` runs some of them.
enum RetrySamples {
    struct Token: Decodable, Sendable {
        let access: String
        let expiresIn: Double
    }

    static func overview(_ teapot: Teapot, login: Teapot, accessToken: String) {
        //: RetriesAndCredentials 1
    }

    static func idempotent(_ teapot: Teapot, order: [String: Int]) async throws -> Teapot.Response {
        //: RetriesAndCredentials 6
        return response
    }

    static func session(_ teapot: Teapot, query: Teapot.Request.Body) async throws -> Teapot.Response {
        //: RetriesAndCredentials 7
        return response
    }

    struct Key: Decodable, Sendable {
        let id: String
        let secret: String
        let expires: Date
    }

    struct CannotSign: Error {}

    static func signing(_ teapot: Teapot, keys: Teapot, hmac: @escaping @Sendable (String, Data) -> String) {
        //: RetriesAndCredentials 5
    }

    struct NoSession: Error {}

    static func twoCredentials(_ transmission: Teapot, user: String, password: String) {
        //: RetriesAndCredentials 3
    }

    static func validating(_ teapot: Teapot) {
        //: RetriesAndCredentials 4
    }
}
