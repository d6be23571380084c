import Teapot

/// The samples of the article "Forms and OAuth". `SamplesRunFormsTests` runs them.
enum FormSamples {
    struct Note: Decodable, Sendable {
        let title: String
    }

    struct NoteSearch: Encodable, Sendable {
        let words: String
        let tags: [String]
        let limit: Int
        let author: String?
    }

    struct Token: Decodable, Sendable {
        let accessToken: String
        let expiresIn: TimeInterval?
        let refreshToken: String?

        var credential: Credential {
            .bearer(accessToken, expires: expiresIn.map { Date(timeIntervalSinceNow: $0) })
        }

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case expiresIn = "expires_in"
            case refreshToken = "refresh_token"
        }
    }

    actor Session {
        private let login: Teapot
        private var refreshToken: String

        init(_ login: Teapot, refreshToken: String) {
            (self.login, self.refreshToken) = (login, refreshToken)
        }

        func refresh() async throws -> Credential {
            let form = Teapot.Request.Body(form: ["grant_type": "refresh_token", "refresh_token": refreshToken])
            let token = try await login.post("token", body: form, as: Token.self)
            refreshToken = token.refreshToken ?? refreshToken
            return token.credential
        }
    }

    static func pairs(_ teapot: Teapot) async throws -> Note {
        let form = Teapot.Request.Body(form: ["title": "The old kettle", "tag": "kitchen", "tag": "tea"])
        let note = try await teapot.post("notes", body: form, as: Note.self)
        return note
    }

    static func value(_ teapot: Teapot) async throws -> [Note] {
        let search = NoteSearch(words: "green tea", tags: ["kitchen", "tea"], limit: 20, author: nil)
        let form = Teapot.Request.Body(formEncoding: search)
        let notes = try await teapot.post("notes/search", body: form, as: [Note].self)
        return notes
    }

    static func login(_ authorizationServer: URL, clientID: String, clientSecret: String) -> Teapot {
        let login = Teapot(baseURL: authorizationServer)
        login.plugins = [Credential.basic(clientID: clientID, clientSecret: clientSecret)]
        return login
    }

    static func clientCredentials(_ teapot: Teapot, login: Teapot) {
        teapot.authenticator = Authenticator { _ in
            let form = Teapot.Request.Body(form: ["grant_type": "client_credentials", "scope": "notes"])
            let token = try await login.post("token", body: form, as: Token.self)
            return token.credential
        }
    }

    static func password(login: Teapot, username: String, password: String) async throws -> Token {
        let form = Teapot.Request.Body(form: ["grant_type": "password", "username": username, "password": password])
        let token = try await login.post("token", body: form, as: Token.self)
        return token
    }

    static func refresh(_ teapot: Teapot, login: Teapot, token: Token, refreshToken: String) {
        let session = Session(login, refreshToken: refreshToken)
        teapot.authenticator = Authenticator(token.credential) { _ in try await session.refresh() }
    }
}
