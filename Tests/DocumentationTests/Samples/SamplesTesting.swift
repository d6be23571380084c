import Teapot
import TeapotMock
import Testing

//: TestingWithMockTeapot 5

@Suite struct NotesClientSuite {
    //: TestingWithMockTeapot 2

    //: TestingWithMockTeapot 7

    @Test func sendsItsKey() async {
        await confirmation { called in
            let teapot = MockTeapot(bundle: .module, mockFilename: "notes")
            teapot.setExpectedHeaders(["X-Client": "notes/1.0"])
            teapot.get("notes", headerFields: ["x-client": "notes/1.0"]) { result in
                guard case .success = result else { return }
                called()
            }
        }
    }
}

/// Code that is compiled here, and described in words in the article.
enum TestingSamples {
    private final class SomeTests {}

    static func client() -> NotesClient {
        //: TestingWithMockTeapot 8
        return client
    }

    static func bundles() -> [Bundle] {
        //: TestingWithMockTeapot 4
        return [bundle, .module]
    }
}
