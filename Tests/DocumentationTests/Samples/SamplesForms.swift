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

    //: FormsAndOAuth 4

    //: FormsAndOAuth 6

    static func pairs(_ teapot: Teapot) async throws -> Note {
        //: FormsAndOAuth 1
        return note
    }

    static func value(_ teapot: Teapot) async throws -> [Note] {
        //: FormsAndOAuth 2
        return notes
    }

    static func login(_ authorizationServer: URL, clientID: String, clientSecret: String) -> Teapot {
        //: FormsAndOAuth 3
        return login
    }

    static func password(login: Teapot, username: String, password: String) async throws -> Token {
        //: FormsAndOAuth 5
        return token
    }

    static func refresh(_ teapot: Teapot, login: Teapot, token: Token, refreshToken: String) {
        //: FormsAndOAuth 7
    }
}
