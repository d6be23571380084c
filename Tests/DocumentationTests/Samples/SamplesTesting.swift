import Teapot
import TeapotMock
import Testing

//: TestingWithMockTeapot 5

@Suite struct NotesClientSuite {
    //: TestingWithMockTeapot 2

    //: TestingWithMockTeapot 8

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

    @Test func saysWhichHeaderIsMissing() async {
        await confirmation { called in
            //: TestingWithMockTeapot 13
        }
    }

    @Test func answersEachEndPointWithItsFile() async {
        await confirmation { called in
            //: TestingWithMockTeapot 12
            teapot.get("api/v1/timestamp?zone=utc") { result in
                guard case .success(let json, let response) = result else { return }
                #expect(json?.dictionary?["timestamp"] as? Int == 1_700_000_000)
                #expect(response.status == 200)
                called()
            }
        }
    }

    @Test func downloadsAnAvatar() async {
        await confirmation { called in
            //: TestingWithMockTeapot 11
        }
    }

    @Test func takesAnyStatus() async {
        await confirmation { called in
            //: TestingWithMockTeapot 10
            teapot.get("coffee") { result in
                guard case .failure(nil, let response, _) = result else { return }
                #expect(response.status == 418)
                called()
            }
        }
    }
}

/// Code that is compiled here, and described in words in the article.
enum TestingSamples {
    private final class SomeTests {}

    static func client() -> NotesClient {
        //: TestingWithMockTeapot 9
        return client
    }

    static func bundles() -> [Bundle] {
        //: TestingWithMockTeapot 4
        return [bundle, .module]
    }
}
