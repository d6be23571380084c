import Teapot

/// The body of the API's errors.
struct Problem: Codable, Sendable {
    let message: String
}

/// The samples of the article "Async and Codable". `SamplesRunAsyncTests` runs them.
enum AsyncSamples {
    static func getting(_ teapot: Teapot, show: (String) -> Void) async {
        //: AsyncAndCodable 1
    }

    static func gettingByClosure(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        //: AsyncAndCodable 2
    }

    static func response(_ teapot: Teapot, show: (String) -> Void) async throws {
        //: AsyncAndCodable 3
    }

    static func bodies(_ teapot: Teapot, drawing: Data) async throws {
        //: AsyncAndCodable 4

        //: AsyncAndCodable 5

        //: AsyncAndCodable 6
    }

    static func query(_ teapot: Teapot) async throws -> [Note] {
        //: AsyncAndCodable 7
        return notes
    }

    static func errors(_ teapot: Teapot, show: (String) -> Void) async {
        //: AsyncAndCodable 10
    }

    static func coders(_ teapot: Teapot) {
        //: AsyncAndCodable 8
    }

    static func snakeCase<Account: Decodable & Sendable>(_ teapot: Teapot, as: Account.Type) async throws -> Account {
        let snakeCase = JSONDecoder()
        snakeCase.keyDecodingStrategy = .convertFromSnakeCase
        //: AsyncAndCodable 9
        return account
    }

    static func cancelled(_ teapot: Teapot) -> Task<Teapot.Response, any Error> {
        //: AsyncAndCodable 12
        return task
    }

    static func request(_ teapot: Teapot, replacing tag: String, with note: Note) async throws -> Teapot.Response {
        //: AsyncAndCodable 13
        return response
    }

    static func blocking(_ teapot: Teapot) throws -> Note {
        //: AsyncAndCodable 14
        return note
    }
}
