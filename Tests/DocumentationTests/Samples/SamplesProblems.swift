import Teapot

/// The samples of problem details in the article "Async calls and Codable", and of the article "Errors".
/// `SamplesRunProblemsTests` runs them.
enum ProblemSamples {
    static func show(_ error: TeapotError, show: (String) -> Void) {
        //: AsyncAndCodable 11
    }

    struct User: Decodable, Equatable {
        var name: String
    }

    static func user(_ teapot: Teapot, etag: String, cached: User) async throws -> User {
        //: Errors 1
    }
}
