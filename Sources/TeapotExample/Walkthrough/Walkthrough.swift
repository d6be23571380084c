import Teapot

/// The steps of the example.
///
/// It runs on the main actor, like an app, and completions are called on the main queue.
@MainActor
struct Walkthrough {
    let client: NotesClient
    let checklist = Checklist(nameWidth: 28, patience: 30)

    init(baseURL: URL) {
        client = NotesClient(teapot: Teapot(baseURL: baseURL))
    }

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
        await showRecording()
        await showLog()
    }

    /// Makes a call that should fail, and returns its error.
    func error<Value>(of call: () async throws(TeapotError) -> Value) async throws -> TeapotError {
        let value: Value
        do {
            value = try await call()
        } catch {
            return error
        }
        throw Mismatch(expected: "an error", found: "\(value)")
    }
}
