import Teapot

/// The steps of the example, in the order in which to read them: each file `Walkthrough+….swift` is a chapter.
///
/// It runs on the main actor, like an app.
@MainActor
struct Walkthrough {
    /// The pages to read after the steps that show their code.
    private static let next = """
        Next:
          swift run TeapotExample --all        every step, with the full log
          README.md                            a complete client, testing, limits on Linux
          Sources/Teapot/Teapot.docc           GettingStarted.md, Endpoints.md, RetriesAndCredentials.md
          Sources/TeapotMock/TeapotMock.docc   TestingWithMockTeapot.md, ScriptingResponses.md
        """

    let teapot: Teapot
    let checklist: Checklist
    /// An empty directory, which is removed at the end.
    let directory = FileManager.default.temporaryDirectory.appending(path: "TeapotExample-\(UUID().uuidString)")

    /// - Parameters:
    ///   - baseURL: The URL of the server.
    ///   - showsCode: Whether to run only the steps that show their code.
    init(baseURL: URL, showsCode: Bool) {
        teapot = Teapot(baseURL: baseURL)
        checklist = Checklist(showsCode: showsCode)
    }

    var baseURL: URL { teapot.baseURL }

    func run() async {
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }

        await showRequests()
        await showErrors()
        await showCredentials()
        await showTransfers()
        await showEveryday()
        await showTesting()
        await showLog()
        print("\(checklist.showsCode ? "" : "\n")\(checklist.summary)")
        if checklist.showsCode { print("\n\(Self.next)") }
    }
}
