import Teapot
import TeapotMock
import Testing

extension NotesClient {
    func notes(completion: @escaping @Sendable (Result<[Note], TeapotError>) -> Void) {
        teapot.send(Teapot.Request(path: "notes")) { result in
            completion(Result { () throws(TeapotError) in try result.get().decode() })
        }
    }
}

@Suite struct NotesClientSuite {
    @Test func listsNotes() async throws {
        let client = NotesClient(teapot: MockTeapot(bundle: .module, mockFilename: "notes"))
        let notes = try await client.notes()
        #expect(notes.map(\.title) == ["Buy tea", "Descale the kettle"])
    }

    @Test func serverIsDown() async throws {
        let client = NotesClient(teapot: MockTeapot(bundle: .module, statusCode: .serviceUnavailable))
        let error = await #expect(throws: TeapotError.self) { try await client.notes() }
        #expect(error?.responseStatus == 503)
    }

    @Test func showsTheMessageOfAMissingNote() async {
        await confirmation { called in
            let teapot = MockTeapot(bundle: .module, mockFilename: "unknown-note", statusCode: .notFound)
            teapot.get("notes/17") { result in
                guard case .failure(let json, let response, let error) = result else { return }
                #expect(json?.dictionary?["message"] as? String == "There is no such note.")
                #expect(response.status == 404)
                #expect(error.type == .invalidResponseStatus)
                called()
            }
        }
    }

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
            let teapot = MockTeapot(bundle: .module, mockFilename: "notes")
            teapot.setExpectedHeaders(["X-Client": "notes/1.0"])
            teapot.get("notes") { result in
                guard case .failure(_, let response, let error) = result else { return }
                #expect(response.status == 400)
                #expect(error.type == .incorrectHeaders)
                #expect(error.failureReason == "X-Client is missing")
                called()
            }
        }
    }

    @Test func answersEachEndPointWithItsFile() async {
        await confirmation { called in
            let teapot = MockTeapot(bundle: .module, mockFilename: "unknown-note", statusCode: .notFound)
            teapot.overrideEndPoint("v1/timestamp", withFilename: "timestamp")
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
            let teapot = MockTeapot(bundle: .module, mockFilename: "avatar.png")
            teapot.downloadImage(path: "users/1/avatar") { result in
                guard case .success(let image, _) = result else { return }
                #expect(image.pixelWidth == 1)
                called()
            }
        }
    }

    @Test func takesAnyStatus() async {
        await confirmation { called in
            let teapot = MockTeapot(bundle: .module, statusCode: 418)
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

    static func bundles() -> [Bundle] {
        let bundle = Bundle(for: SomeTests.self)
        return [bundle, .module]
    }
}
