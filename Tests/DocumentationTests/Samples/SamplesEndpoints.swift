import Teapot
import TeapotMock
import Testing

/// The samples of the article "Endpoints", and those about endpoints in "Scripting responses".
//: Endpoints 1

//: Endpoints 3

//: Endpoints 4

//: Endpoints 6

//: Endpoints 7

//: Endpoints 8

//: Endpoints 9

//: Endpoints 12

enum EndpointSamples {
    static func sending(_ teapot: Teapot) async throws {
        //: Endpoints 2
    }

    static func member(_ teapot: Teapot) async throws -> Note {
        //: Endpoints 5
        return note
    }

    static func download(_ teapot: Teapot, to file: URL) async throws {
        //: Endpoints 10
    }

    static func errors(_ teapot: Teapot, show: (String) -> Void) async {
        //: Endpoints 11
    }

    static func closure(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        //: Endpoints 13
    }

    static func script(_ teapot: Teapot) throws -> Note {
        //: Endpoints 14
        return note
    }

    static func types() throws -> MockTeapot {
        //: ScriptingResponses 4
        return mock
    }

    static func cases() throws -> MockTeapot {
        let mock = MockTeapot(strictIn: .module)
        //: ScriptingResponses 5
        return mock
    }
}
