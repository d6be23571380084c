import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Rules for every shape of a call, whatever answers.
@Suite(.inTurn)
struct ShapeContractTests {
    @Test(arguments: Backend.available, CallShape.all)
    func `a success has a status`(backend: Backend, shape: CallShape) async throws {
        let isImage = shape == .image
        let teapot = try backend.teapot(file: isImage ? "contract-image.png" : "contract-object")
        let path = isImage ? "image/png" : shape.method == .head ? "get" : "anything"
        let outcome = await shape.outcome(of: path, from: teapot, timeoutInterval: 60, in: try TemporaryFolder())
        // It decodes numbers, and these are texts.
        #expect(outcome.error?.type == (shape.description == "get as" ? .decodingFailed : nil))
        #expect(outcome.status ?? 200 == 200)
    }

    @Test(arguments: Backend.available, CallShape.all)
    func `a failure keeps its body`(backend: Backend, shape: CallShape) async throws {
        let teapot = try backend.teapot(file: "contract-refusal", status: 406)
        let folder = try TemporaryFolder()
        let outcome = await shape.outcome(of: "status/406", from: teapot, timeoutInterval: 60, in: folder)
        let error = try #require(outcome.error)
        #expect(error.type == .invalidResponseStatus)
        #expect(error.responseStatus == 406)
        #expect(error.response?.status == 406)
        #expect(folder.names.isEmpty)
        guard shape.method != .head else { return #expect(error.data?.isEmpty != false) }
        let refusal = try error.decode(AsyncContractTests.Refusal.self)
        #expect(refusal.message == "Client did not request a supported media type.")
        #expect(refusal.accept.contains("image/png"))
        #expect(error.json?.dictionary?["message"] as? String == refusal.message)
    }

    @Test(arguments: Backend.available, CallShape.all)
    func `a bad path is refused and has no task`(backend: Backend, shape: CallShape) async throws {
        let teapot = try backend.teapot()
        let outcome = await shape.outcome(of: "//evil.example/x", from: teapot, in: try TemporaryFolder())
        #expect(outcome.error?.type == .invalidRequestPath)
        #expect(outcome.error?.response == nil)
        #expect(outcome.task == nil)
        #expect(outcome.response?.status ?? 400 == 400)
        #expect(outcome.response?.url ?? teapot.baseURL == teapot.baseURL)
    }

    @Test(arguments: Backend.available, CallShape.all.filter { $0.kind == .async })
    func `a task that was cancelled before sends nothing`(backend: Backend, shape: CallShape) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let (plugin, folder) = (WatchingPlugin(), try TemporaryFolder())
        teapot.plugins = [plugin]
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await shape.outcome(of: "anything", from: teapot, in: folder).error
        }.value
        #expect(error?.type == .cancelled)
        #expect(error?.requestLine == "\(shape.method) \(try teapot.url(for: "anything"))")
        #expect(plugin.all.isEmpty)
    }
}
