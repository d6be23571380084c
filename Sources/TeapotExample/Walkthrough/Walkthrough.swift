import Teapot

/// The steps of the example.
///
/// It runs on the main actor, like an app, and completions are called on the main queue.
@MainActor
struct Walkthrough {
    /// The pages to read after the steps that show their code.
    static let next = """
        Next:
          swift run TeapotExample --all        every step, with the full log
          README.md                            a complete client, testing, limits on Linux
          Sources/Teapot/Teapot.docc           GettingStarted.md, Endpoints.md, RetriesAndCredentials.md
          Sources/TeapotMock/TeapotMock.docc   TestingWithMockTeapot.md, ScriptingResponses.md
        """

    let client: NotesClient
    let checklist: Checklist

    /// - Parameters:
    ///   - baseURL: The URL of the server.
    ///   - runsAll: Whether to run every step, and not only those that show their code.
    init(baseURL: URL, runsAll: Bool) {
        client = NotesClient(teapot: Teapot(baseURL: baseURL))
        checklist = Checklist(nameWidth: 28, showsCode: !runsAll, patience: 30)
    }

    var teapot: Teapot { client.teapot }
    var baseURL: URL { teapot.baseURL }

    func run() async {
        await showNotes()
        await showClosures()
        await showEndpoints()
        await showErrors()
        await showLogin()
        await showForms()
        await showPages()
        await showCookies()
        await showCaching()
        await showEvents()
        await showImage()
        await showTransfers()
        await showStream()
        await showCancelling()
        await showSuspending()
        await showBlocking()
        await showMock()
        await showRecording()
        await showLog()
    }

    /// Makes a call that should fail, and returns its error.
    func error<Value: Sendable>(of call: () async throws(TeapotError) -> Value) async throws -> TeapotError {
        let value: Value
        do {
            value = try await call()
        } catch {
            return error
        }
        throw Mismatch(expected: "an error", found: "\(value)")
    }
}
