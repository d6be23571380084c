import Teapot
import TeapotCurl

/// The body of the API's errors.
struct Problem: Codable, Sendable {
    let message: String
}

/// The samples of the article "Getting started".
enum AsyncSamples {
    static func client(baseURL: URL) -> Teapot {
        //: GettingStarted 1
        return teapot
    }

    static func getting(_ teapot: Teapot, show: (String) -> Void) async {
        //: GettingStarted 2
    }

    static func response(_ teapot: Teapot, show: (String) -> Void) async throws {
        //: GettingStarted 3
    }

    static func write(_ text: Data, as name: String, with teapot: Teapot) async throws {
        //: GettingStarted 4
    }

    static func query(_ teapot: Teapot) async throws -> [Note] {
        //: GettingStarted 5
        return notes
    }

    static func bodies(_ teapot: Teapot, drawing: Data) async throws {
        //: GettingStarted 6

        //: GettingStarted 7
    }

    static func dictionary(_ teapot: Teapot) async throws {
        //: GettingStarted 8
    }

    static func coders(_ teapot: Teapot) {
        //: GettingStarted 9
    }

    static func snakeCase<Account: Decodable & Sendable>(_ teapot: Teapot, as: Account.Type) async throws -> Account {
        let snakeCase = JSONDecoder()
        snakeCase.keyDecodingStrategy = .convertFromSnakeCase
        //: GettingStarted 10
        return account
    }

    static func errors(_ teapot: Teapot, show: (String) -> Void) async {
        //: GettingStarted 11
    }

    static func cancelled(_ teapot: Teapot) -> Task<Teapot.Response, any Error> {
        //: GettingStarted 13
        return task
    }

    static func setUp(_ teapot: Teapot) {
        //: GettingStarted 14
    }

    static func request(_ teapot: Teapot, replacing tag: String, with note: Note) async throws -> Note {
        //: GettingStarted 15
        return saved
    }

    static func isUp(_ host: URL, _ teapot: Teapot) async throws -> Bool {
        //: GettingStarted 16
        return isUp
    }

    static func avatar(_ teapot: Teapot) async throws -> TeapotImage {
        //: GettingStarted 17
        return avatar
    }
}
