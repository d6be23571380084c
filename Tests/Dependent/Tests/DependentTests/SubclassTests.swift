import Teapot
import TeapotMock
import Testing

/// Both classes are open: a user may add to them.
@Suite struct SubclassTests {
    private final class NotesTeapot: Teapot, @unchecked Sendable {
        init() {
            super.init(baseURL: URL(string: "https://notes.example") ?? URL(filePath: "/"))
        }

        func note(_ id: Int) -> URLSessionTask? {
            get("../\(id)") { _ in }
        }
    }

    private final class NotesMock: MockTeapot, @unchecked Sendable {
        convenience init() {
            self.init(bundle: .module, mockFilename: "get")
        }
    }

    @Test func `Teapot may be subclassed`() {
        #expect(NotesTeapot().note(1) == nil)
    }

    @Test func `mock may be subclassed`() async {
        await confirmation { confirm in
            let teapot: Teapot = NotesMock()
            teapot.get("path") { result in
                guard case .success(let json, _) = result else { return }
                #expect(json?.dictionary?["title"] as? String == "Buy tea")
                confirm()
            }
        }
    }
}
