import Foundation
import LoopbackServer
import Teapot
import TeapotCurl
import TestSupport
import TestTraits
import Testing

/// Downloads from a server that are interrupted at random points, again and again.
@Suite(.firstInTurn, .exitTests)
struct InterruptionTests {
    private static let size = 1_500_000

    private let folder: TemporaryFolder
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer()
    }

    private func isWhole() throws -> Bool {
        try BodyDigest(Data(contentsOf: folder.file("tea"))) == GeneratedFile.digest(0..<Self.size)
    }

    /// How many of the requests asked for the rest of the file.
    private var continuedCount: Int { server.requests.count { $0.header("Range") != nil } }

    @Test(arguments: [Interruption.failure, .cancellation], ["", "?validator=date", "?chunked=1"])
    func `the file is whole after ten interruptions`(kind: Interruption, query: String) async throws {
        var generator = SeededGenerator(seed: 20)
        let place = folder.file("tea")
        for _ in 0..<10 {
            let transport = InterruptedTransport(after: Int.random(in: 0...125_000, using: &generator), kind)
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            let task = Task {
                await thrown { () throws(TeapotError) in
                    try await teapot.download(
                        "file/\(Self.size)\(query)",
                        to: place,
                        resumes: true,
                        timeoutInterval: .infinity
                    )
                }
            }
            await transport.isCut.wait()
            if kind == .cancellation { task.cancel() }
            #expect(await task.value?.type == (kind == .failure ? .dataTaskError : .cancelled))
            #expect(!folder.names.contains("tea"))
        }
        let response = try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).download(
            "file/\(Self.size)\(query)",
            to: place,
            resumes: true
        )
        #expect(response.status == 206)
        #expect(continuedCount > 5)
        #expect(try isWhole())
        #expect(folder.names == ["tea"])
    }

    @Test(arguments: [false, true])
    func `the file is whole after its process was killed again and again`(usesCurl: Bool) async throws {
        var generator = SeededGenerator(seed: 21)
        let place = folder.file("tea")
        for _ in 0..<10 {
            let count = Int.random(in: 0...150_000, using: &generator)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    baseURL = server.baseURL as URL, place = place as URL, count = count as Int,
                    usesCurl = usesCurl as Bool
                ] in
                let transport = InterruptedTransport(after: count, .kill, usesCurl: usesCurl)
                let teapot = Teapot(baseURL: baseURL, transport: transport)
                try await teapot.download("file/\(Self.size)", to: place, resumes: true, timeoutInterval: .infinity)
            }
            #expect(!folder.names.contains("tea"))
        }
        let response = try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).download(
            "file/\(Self.size)",
            to: place,
            resumes: true
        )
        #expect(response.status == 206)
        #expect(continuedCount > 5)
        #expect(try isWhole())
        #expect(folder.names == ["tea"])
    }

    @Test func `a file that has changed is downloaded from the start`() async throws {
        let place = folder.file("tea")
        let interrupted = Teapot(
            baseURL: server.baseURL,
            transport: InterruptedTransport(after: 500_000, .failure)
        )
        _ = await thrown { () throws(TeapotError) in
            try await interrupted.download("file/\(Self.size)", to: place, resumes: true)
        }
        // As if the part had come from an older file.
        var record = try #require(JSON(data: Data(contentsOf: folder.file("tea.partial.json"))).dictionary)
        record["validator"] = #""older""#
        try #require(JSON(record).data).write(to: folder.file("tea.partial.json"))
        let response = try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).download(
            "file/\(Self.size)",
            to: place,
            resumes: true
        )
        #expect(continuedCount == 1)
        #expect(response.status == 200)
        #expect(try isWhole())
    }

    enum Interruption { case failure, cancellation, kill }
}

/// Talks to servers, and breaks off after so many bytes of a body.
private final class InterruptedTransport: Transport {
    private struct State {
        var bytesLeft: Int
        var isOver = false
    }

    private let inner: any Transport
    private let kind: InterruptionTests.Interruption
    private let state: Locked<State>
    let isCut = Signal()

    init(after count: Int, _ kind: InterruptionTests.Interruption, usesCurl: Bool = false) {
        inner = usesCurl ? CurlTransport() : URLSessionTransport()
        self.kind = kind
        state = Locked(State(bytesLeft: count))
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        inner.start(request) { [self] event in
            guard !state.withLock({ $0.isOver }) else { return }
            guard let data = event.data else { return receive(event) }
            let (taken, isOver) = state.withLock { state in
                let taken = min(state.bytesLeft, data.count)
                state.bytesLeft -= taken
                state.isOver = state.bytesLeft == 0
                return (taken, state.isOver)
            }
            if taken > 0 { receive(.data(data.prefix(taken))) }
            guard isOver else { return }
            switch kind {
            case .failure: receive(.finished(URLError(.networkConnectionLost)))
            case .cancellation: break
            case .kill: kill(getpid(), SIGKILL)
            }
            isCut.fire()
        }
    }
}
