import Teapot
import TeapotMock
import Testing

/// The samples of the article "Endpoints", and those about endpoints in "Scripting responses".
//: Endpoints 1

//: Endpoints 3

//: Endpoints 4

//: Endpoints 5

enum EndpointSamples {
    static func sending(_ teapot: Teapot) async throws {
        //: Endpoints 2
    }

    static func errors(_ teapot: Teapot, show: (String) -> Void) async {
        //: Endpoints 6
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
