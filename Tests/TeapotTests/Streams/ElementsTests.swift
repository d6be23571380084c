import Foundation
import TestSupport
import Testing

import TestTraits
@testable internal import Teapot

/// What pieces, lines, values of lines, events and pages have in common.
@Suite(.inTurn)
struct ElementsTests {
    private func teapot(_ transport: ManualTransport) throws -> Teapot {
        try Teapot(baseURL: #require(URL(string: "http://api.example/v1")), transport: transport)
    }

    private func count<Value>(of elements: Teapot.Elements<Value>, _ isolation: isolated (any Actor)?) async throws
        -> Int
    {
        var count = 0
        for try await _ in elements { count += 1 }
        return count
    }

    /// Each element by way of its own executor would take seconds.
    @MainActor
    @Test func `an actor reads what has arrived without suspending`() async throws {
        let body = String(repeating: "1\n", count: 100_000)
        let teapot = try teapot(ManualTransport { $0.answer(200, body: body) })
        let other = Locked(0)
        let isOver = Locked(false)
        // It gets a turn whenever the reader leaves the actor.
        let observer = Task { @MainActor in
            while !isOver.withLock({ $0 }) {
                other.withLock { $0 += 1 }
                await Task.yield()
            }
        }
        let request = Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }
        let lines = try await count(of: teapot.bytes(request).lines, MainActor.shared)
        let values = try await count(of: teapot.bytes(request).lines(as: Int.self), MainActor.shared)
        isOver.withLock { $0 = true }
        await observer.value
        #expect(lines == 100_000)
        #expect(values == 100_000)
        #expect(other.withLock { $0 } < 1_000)
    }

    /// Many lines arrive together, and are returned in portions.
    @Test func `lines come in the order of the body, whatever the pieces`() async throws {
        let lines = (0..<1_000).map { String(repeating: "\($0) ", count: $0 % 7) }
        let body = Data(lines.joined(separator: "\r\n").utf8)
        let pieces = [0..<1, 1..<5_000, 5_000..<body.count].map { body[$0] }
        let teapot = try teapot(
            ManualTransport { hop in
                hop.respond(200)
                for piece in pieces { hop.report(.data(piece)) }
                hop.report(.finished(nil))
            }
        )
        var read: [String] = []
        for try await line in try await teapot.bytes("tea").lines { read.append(line) }
        #expect(read == lines)
    }

    /// Typed: without a cast.
    private func error<Value>(of elements: Teapot.Elements<Value>) async -> TeapotError? {
        do throws(TeapotError) {
            for try await _ in elements {}
            return nil
        } catch {
            return error
        }
    }

    @Test func `errors are typed`() async throws {
        let teapot = try teapot(ManualTransport { $0.answer(200, body: "tea") })
        #expect(await error(of: teapot.pages("tea", as: Int.self))?.type == .decodingFailed)
        #expect(await error(of: teapot.events("tea"))?.type == .decodingFailed)
        let bytes = try await teapot.bytes("tea")
        #expect(await error(of: bytes.lines(as: Int.self))?.type == .decodingFailed)
        #expect(await error(of: bytes.lines) == nil)
        do throws(TeapotError) {
            for try await _ in bytes { Issue.record("there is nothing left") }
        } catch {
            Issue.record("\(error.type)")
        }
    }

    @Test func `pieces and lines share a body`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200)
            for piece in ["a\nb\n", "c\n", "d\ne"] { hop.report(.data(Data(piece.utf8))) }
            hop.report(.finished(nil))
        }
        let bytes = try await teapot(transport).bytes(
            Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }
        )
        var lines = bytes.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        // The pieces may have been joined in the buffer.
        var rest = Data()
        for try await piece in bytes {
            #expect(!piece.isEmpty)
            rest += piece
        }
        let read = Data("a\nb\nc\nd\ne".utf8)
        #expect(read.suffix(rest.count) == rest)
        var all = "a"
        while let line = try await lines.next() { all += "\n\(line)" }
        #expect(Data(all.utf8) + (all.hasSuffix("e") ? Data() : Data("\n".utf8)) + rest == read)
    }
}
