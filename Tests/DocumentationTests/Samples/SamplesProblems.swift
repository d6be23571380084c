import Teapot

/// The samples of the article "Conditional requests and 404", and that of problem details in "Getting started". `SamplesRunTests`
/// runs some of them.
enum ProblemSamples {
    static func show(_ error: TeapotError, show: (String) -> Void) {
        //: GettingStarted 12
    }

    static func code(_ teapot: Teapot, show: (String) -> Void) async {
        //: Errors 1
    }

    struct User: Decodable, Equatable {
        var name: String
    }

    static func user(_ name: String, _ teapot: Teapot) async throws -> User? {
        //: ConditionalRequests 1
    }

    static func user(_ teapot: Teapot, etag: String, cached: User) async throws -> User {
        //: ConditionalRequests 2
    }

    struct Note: Codable, Sendable {
        var title: String
    }

    static func change(_ teapot: Teapot, show: (String) -> Void) async throws {
        //: ConditionalRequests 3
    }
}
