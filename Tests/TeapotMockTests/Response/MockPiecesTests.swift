import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Bodies that come in pieces, break off or never end, on the clock of a test.
@Suite(.inTurn)
struct MockPiecesTests {
    struct Cup: Decodable, Equatable, Sendable {
        let size: Int
    }

    private let clock = TestClock()
    private let mock: MockTeapot

    init() { mock = MockTeapot(strictIn: .module, clock: clock) }

    private static func lines(every interval: Duration = .seconds(10)) -> MockResponse {
        .pieces(["{\"size\":", " 1}\n{\"si", "ze\": 2}\n"], every: interval, contentType: "application/x-ndjson")
    }

    private func failure(timeoutInterval: TimeInterval) -> Task<TeapotError?, Never> {
        Task { [mock] in
            await thrown { () throws(TeapotError) in
                try await mock.send(Teapot.Request(path: "cups").with { $0.timeoutInterval = timeoutInterval })
            }
        }
    }

    @Test func `without an interval, the answer comes at once and whole`() throws {
        try mock.overrideEndPoint("cups", with: Self.lines(every: .zero))
        let data = Locked<[Data]>([])
        mock.send("cups") { result in data.withLock { $0 += [(try? result.get())?.data ?? Data()] } }
        #expect(data.withLock { $0 } == [Data("{\"size\": 1}\n{\"size\": 2}\n".utf8)])
    }

    @Test func `each piece comes at its time, whole lines only`() async throws {
        try mock.overrideEndPoint("cups", with: Self.lines().delayed(by: .seconds(5)))
        async let bytes = mock.bytes("cups")
        await clock.advanceToNext()
        #expect(clock.now.offset == .seconds(5))
        var cups = try await bytes.lines(as: Cup.self).makeAsyncIterator()
        await clock.advanceToNext()
        #expect(try await cups.next() == Cup(size: 1))
        await clock.advanceToNext()
        #expect(try await cups.next() == Cup(size: 2))
        #expect(try await cups.next() == nil)
        #expect(clock.now.offset == .seconds(25))
    }

    /// The number of bytes that are reported, by the clock of the mock: the state before the body, each that comes a tenth of a second
    /// after the last one, and the last one.
    @Test(arguments: [1_000: Array(0...12), 100: Array(0...12), 30: [0, 1, 5, 9, 12], 0: [0, 1, 12]])
    func `progress is reported by the clock`(milliseconds: Int, bytes: [Int]) async throws {
        let pieces = Array(repeating: "t", count: 12)
        let response = MockResponse.pieces(pieces, every: .milliseconds(milliseconds), contentType: "text/plain")
        try mock.overrideEndPoint("tea", with: response.delayed(by: .milliseconds(1)))
        let (folder, reported) = (try TemporaryFolder(), Locked<[Int]>([]))
        async let download = mock.download("tea", to: folder.file("tea")) { progress in
            reported.withLock { $0.append(progress.bytes) }
        }
        // The progress is no wait of its own.
        await clock.waits(1)
        #expect(clock.waitCount == 1)
        clock.advance(by: .milliseconds(1 + 11 * milliseconds))
        _ = try await download
        let steps = reported.withLock { $0 }
        // One that came too early may be reported a little before the next one, if this machine is slow.
        if milliseconds != 30 { #expect(steps == bytes) }
        #expect(steps.count == bytes.count)
        #expect(steps.last == 12)
    }

    @Test func `pieces that come at the same time need no stack`() async throws {
        let pieces = Array(repeating: "x", count: 20_000)
        try mock.overrideEndPoint("cups", with: .pieces(pieces, contentType: "text/plain").neverEnding())
        let received = await onSmallStack { [mock] in
            let task = mock.send(Teapot.Request(path: "cups").with { $0.timeoutInterval = .infinity }) { _ in }
            defer { task?.cancel() }
            return task?.countOfBytesReceived
        }
        #expect(received == 20_000)
    }

    // MARK: - Without an end

    @Test(arguments: [Duration.zero, .seconds(10)])
    func `a body without an end ends by the timeout`(interval: Duration) async throws {
        try mock.overrideEndPoint("cups", with: Self.lines(every: interval).neverEnding())
        let failure = failure(timeoutInterval: 15)
        let steps = interval == .zero ? 1 : 3
        for _ in 0..<steps { await clock.advanceToNext() }
        let error = await failure.value
        #expect(error?.type == .dataTaskError)
        #expect(error?.code == .timedOut)
        #expect(error?.text == "{\"size\": 1}\n{\"size\": 2}\n")
        #expect(error?.response?.value(forHTTPHeaderField: "Content-Length") == nil)
        #expect(clock.now.offset == (interval == .zero ? .seconds(15) : .seconds(35)))
    }

    @Test func `a body without an end can be cancelled`() async throws {
        try mock.overrideEndPoint("cups", with: Self.lines(every: .zero).neverEnding())
        let task = Task { [mock] in try await mock.get("cups") }
        await clock.waits(1)
        task.cancel()
        let error = await #expect(throws: TeapotError.self) { try await task.value }
        #expect(error?.type == .cancelled)
        let closure = mock.get("cups") { _ in Issue.record("it has no end") }
        closure?.cancel()
        #expect(closure?.state == .completed)
    }

    // MARK: - Odd declarations

    @Test(arguments: [[], [""], ["", ""]])
    func `pieces without bytes are an empty body`(pieces: [String]) async throws {
        try mock.overrideEndPoint("cups", with: .pieces(pieces, every: .seconds(-1), contentType: "text/x-tea"))
        #expect(try await mock.get("cups").data.isEmpty)
    }

    @Test(arguments: [Teapot.HTTPMethod.head, .get])
    func `a response that has no body ends`(method: Teapot.HTTPMethod) async throws {
        let status: MockTeapot.StatusCode = method == .head ? .ok : .noContent
        let response = MockResponse.pieces(["a"], every: .zero, contentType: "text/x-tea", status: status)
        try mock.overrideEndPoint("cups", with: response.neverEnding())
        #expect(try await mock.send(Teapot.Request(method, path: "cups")).data.isEmpty)
    }

    @Test func `an interval has a limit`() async throws {
        try mock.overrideEndPoint("cups", with: Self.lines(every: .seconds(Int64.max)))
        let failure = failure(timeoutInterval: 15)
        await clock.advanceToNext()
        let error = await failure.value
        #expect(error?.type == .dataTaskError)
    }
}
