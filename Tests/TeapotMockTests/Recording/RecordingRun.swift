import Teapot
import TestSupport
import Testing

@testable import TeapotMock

/// A recording of exchanges that a test scripts.
struct RecordingRun {
    let transport = ManualTransport()
    let recording: RecordingTransport
    let teapot: Teapot

    init(_ secretPolicy: SecretPolicy = .standard) throws {
        recording = RecordingTransport(wrapping: transport, secretPolicy: secretPolicy)
        teapot = Teapot(baseURL: try #require(URL(string: "http://notes.test/v1")), transport: recording)
    }

    /// Sends a request, and answers it.
    func exchange(_ request: Teapot.Request, answer: (ManualTransport.Hop) -> Void) throws {
        var request = request
        request.timeoutInterval = .infinity
        teapot.send(request, deliveryQueue: .global()) { _ in }
        answer(try #require(transport.hops.last))
    }

    /// The recording as it is written.
    func text() throws -> String {
        let folder = try TestSupport.TemporaryFolder()
        try recording.write(to: folder.file("recording.har"))
        return try #require(folder.text("recording.har"))
    }

    func entries() throws -> [HAREntry] {
        try JSONDecoder().decode(HAR.self, from: Data(text().utf8)).entries
    }
}
