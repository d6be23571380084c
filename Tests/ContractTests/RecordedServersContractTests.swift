import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Runs against real servers, which `.ci/recordings` starts, recorded, and the same runs by the recordings.
@Suite(.inTurn, .enabled(if: !RecordedService.running.isEmpty))
struct RecordedServersContractTests {
    private static let rows: [(RecordedService, Backend)] = RecordedService.running.flatMap { service in
        Backend.carriers.filter { !service.endsInTrailers || $0 != .loopback }.map { (service, $0) }
    }

    /// One after the other: the users of etcd are those of all its clients.
    @Test(.serialized, arguments: rows)
    func `a run is replayed with the same values`(_ service: RecordedService, backend: Backend) async throws {
        let folder = try TemporaryFolder()
        let recorder = RecordingTransport(
            wrapping: backend.transport,
            secretPolicy: .standard.removing(service.harmlessNames),
            keptMediaTypes: ["application/xml", "text/xml"]
        )
        let (baseURL, queue) = (try #require(service.url), DispatchQueue(label: "recording"))
        let name = "tea-" + UUID().uuidString.lowercased()
        let live = RecordedRun(Teapot(baseURL: baseURL, defaultDeliveryQueue: queue, transport: recorder), name)
        try await service.run(live)
        let file = folder.file("run.har")
        try recorder.write(to: file)
        let mock = try MockTeapot(har: file)
        let replay = RecordedRun(mock, name)
        do { try await service.run(replay) } catch { Issue.record(error, "after \(replay.lines.last ?? "nothing")") }
        #expect(replay.lines.count == live.lines.count)
        for (replayed, live) in zip(replay.redactedLines, live.redactedLines) { #expect(replayed == live) }

        // Different secrets of a server are different placeholders.
        #expect(replay.received.allSatisfy { $0.wholeMatch(of: /redacted-[0-9]+/) != nil }, "\(replay.received)")
        #expect(replay.received.count == live.received.count)
        let pairs = Set(zip(live.received, replay.received).map { [$0, $1] })
        #expect([0, 1].map { index in Set(pairs.map { $0[index] }).count } == [pairs.count, pairs.count])

        let text = try #require(folder.text("run.har")).replacing("\\/", with: "/")
        for secret in live.secrets {
            #expect(text.split(separator: "\n").filter { $0.contains(secret) }.isEmpty, "\(secret)")
        }
        try mock.verify()

        // Each request gets its own answer, whatever came before it, and no other one does.
        let again = RecordedRun(try MockTeapot(har: file), name)
        for request in live.lookups.reversed() { try await again.send(request) }
        for request in live.lookups {
            let line = live.lines(of: request)
            #expect(line.count == 1 && again.lines(of: request) == line, "\(again.lines(of: request)), not \(line)")
        }
        for request in service.unrecorded(name) {
            let error = await #expect(throws: TeapotError.self) { try await mock.send(request) }
            #expect(error?.type == .unexpectedRequest, "\(request.path) \(request.body?.data?.text ?? "")")
        }
    }
}
