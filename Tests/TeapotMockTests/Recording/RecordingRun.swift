import Teapot
import TestSupport
import Testing

@testable import TeapotMock

/// A recording of exchanges that a test scripts.
struct RecordingRun {
    let transport = ManualTransport()
    let recording: RecordingTransport
    let teapot: Teapot

    init(_ secretPolicy: SecretPolicy = .standard, keptMediaTypes: Set<String> = []) throws {
        recording = RecordingTransport(
            wrapping: transport,
            secretPolicy: secretPolicy,
            keptMediaTypes: keptMediaTypes
        )
        teapot = Teapot(baseURL: try #require(URL(string: "http://notes.test/v1")), transport: recording)
    }

    /// Sends a request, and answers it.
    func exchange(_ request: Teapot.Request, answer: (ManualTransport.Hop) -> Void) throws {
        var request = request
        request.timeoutInterval = .infinity
        teapot.send(request, deliveryQueue: .global()) { _ in }
        answer(try #require(transport.hops.last))
    }

    private func written<Value>(_ read: (TemporaryFolder) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder()
        try recording.write(to: folder.file("recording.har"))
        return try read(folder)
    }

    /// The recording as it is written.
    func text() throws -> String { try written { try #require($0.text("recording.har")) } }

    /// The entries, in which each placeholder is `<redacted>`.
    func entries() throws -> [HAREntry] {
        try JSONDecoder().decode(HAR.self, from: Data(text().unnumbered.utf8)).entries
    }

    /// A mock that answers as the server did.
    func replay() throws -> MockTeapot { try written { try MockTeapot(har: $0.file("recording.har")) } }
}
