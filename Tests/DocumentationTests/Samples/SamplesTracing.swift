import Teapot

/// The samples of the article "Tracing". `SamplesRunTracingTests` runs them.
enum TracingSamples {
    struct User: Decodable, Sendable {
        let name: String
    }

    static func user(_ id: Int, from teapot: Teapot) async throws(TeapotError) -> User {
        //: Tracing 1
        return user
    }
}

//: Tracing 2

//: Tracing 3
