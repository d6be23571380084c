import Foundation
import LoopbackServer
import Teapot
import TeapotCurl
import TestSupport
import TestTraits
import Testing

/// A download from a server whose process is killed at random points, again and again.
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
                let transport = KillingTransport(after: count, usesCurl: usesCurl)
                let teapot = Teapot(baseURL: baseURL, transport: transport)
                try await teapot.download(
                    Teapot.Request(path: "file/\(Self.size)").with { $0.timeoutInterval = .infinity },
                    to: place,
                    resumes: true
                )
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
}

/// Talks to servers, and ends the process after so many bytes of a body.
private final class KillingTransport: Transport {
    private let inner: any Transport
    private let bytesLeft: Locked<Int>

    init(after count: Int, usesCurl: Bool) {
        inner = usesCurl ? CurlTransport() : URLSessionTransport()
        bytesLeft = Locked(count)
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        inner.start(request) { [bytesLeft] event in
            guard let data = event.data else { return receive(event) }
            let (taken, isOver) = bytesLeft.withLock { left in
                let taken = min(left, data.count)
                left -= taken
                return (taken, left == 0)
            }
            if taken > 0 { receive(.data(data.prefix(taken))) }
            if isOver { kill(getpid(), SIGKILL) }
        }
    }
}
