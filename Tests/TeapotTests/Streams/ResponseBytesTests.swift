import Foundation
import TestSupport
import Testing

import TestTraits
@testable internal import Teapot

/// Bodies that are read as they come.
@Suite(.inTurn)
struct ResponseBytesTests {
    private let baseURL: URL

    init() throws {
        baseURL = try #require(URL(string: "http://api.example/v1"))
    }

    private func teapot(_ transport: ManualTransport) -> Teapot {
        Teapot(baseURL: baseURL, transport: transport)
    }

    // MARK: - What goes wrong

    @Test func `a body that breaks off is an error after what came`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200)
            hop.report(.data(Data("one\ntwo".utf8)))
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        var lines: [String] = []
        do {
            for try await line in try await teapot(transport).bytes(
                Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }
            ).lines {
                lines.append(line)
            }
            Issue.record("nothing was thrown")
        } catch {
            // Typed: no cast is needed.
            #expect(error.type == .dataTaskError)
            #expect(error.response?.status == 200)
        }
        #expect(lines == ["one"])
    }

    @Test func `the limit of a response bounds what is read`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200)
            hop.report(.data(Data("12345".utf8)))
            hop.report(.data(Data("6".utf8)))
        }
        let teapot = teapot(transport)
        teapot.maximumResponseSize = 5
        let bytes = try await teapot.bytes(Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity })
        var iterator = bytes.makeAsyncIterator()
        #expect(try await iterator.next() == Data("12345".utf8))
        let error = await thrown { () throws(TeapotError) in try await iterator.next() }
        #expect(error?.type == .responseTooLarge)
        #expect(transport.hops.first?.isCancelled == true)
    }

    // MARK: - Ending early

    @Test func `releasing the bytes ends the exchange`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200)
            hop.report(.data(Data("one\ntwo\n".utf8)))
        }
        for try await line in try await teapot(transport).bytes(
            Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }
        ).lines
        where line == "one" { break }
        #expect(transport.hops.first?.isCancelled == true)
    }

    @Test func `a cancelled task stops reading at once`() async throws {
        let transport = ManualTransport { $0.respond(200) }
        let isReading = Signal()
        let teapot = teapot(transport)
        let task = Task {
            await thrown { () throws(TeapotError) in
                let bytes = try await teapot.bytes(Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity })
                isReading.fire()
                for try await _ in bytes {}
            }
        }
        await isReading.wait()
        task.cancel()
        let error = await task.value
        #expect(error?.type == .cancelled)
        #expect(error?.requestLine == "GET http://api.example/v1/tea")
        #expect(transport.hops.first?.isCancelled == true)
    }

    @Test func `a cancelled task reads no waiting bytes`() async throws {
        let transport = ManualTransport { $0.answer(200, body: "waiting") }
        let bytes = try await teapot(transport).bytes(
            Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }
        )
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await thrown { () throws(TeapotError) in for try await _ in bytes {} }
        }
        let error = await task.value
        #expect(error?.type == .cancelled)
        #expect(error?.requestLine == "GET http://api.example/v1/tea")
    }

    // MARK: - Backpressure

    @Test func `the transport is asked to hold back and to go on, in turn`() async throws {
        let transport = ManualTransport { $0.respond(200) }
        let bytes = try await teapot(transport).bytes(
            Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }
        )
        let hop = try #require(transport.hops.first)
        var chunks = bytes.makeAsyncIterator()
        for round in 1...3 {
            hop.report(.data(Data(count: StreamSink.capacity - 1)))
            #expect(hop.flowChanges.count == 2 * (round - 1))
            hop.report(.data(Data(count: 1)))
            await hop.paused.wait()
            #expect(hop.flowChanges.last == false)
            // This transport does not hold back.
            hop.report(.data(Data("over".utf8)))
            #expect(try await chunks.next()?.count == StreamSink.capacity)
            #expect(hop.flowChanges.count == 2 * round - 1)
            #expect(try await chunks.next() == Data("over".utf8))
            #expect(hop.flowChanges.count == 2 * round)
            #expect(hop.flowChanges.last == true)
        }
        hop.report(.finished(nil))
        #expect(try await chunks.next() == nil)
    }

    @Test func `a body that comes before the transport has returned does not stop the timeout`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200)
            hop.report(.data(Data(count: StreamSink.capacity)))
        }
        let bytes = try await teapot(transport).bytes(Teapot.Request(path: "tea").with { $0.timeoutInterval = 0.2 })
        var pieces = bytes.makeAsyncIterator()
        #expect(try await pieces.next()?.count == StreamSink.capacity)
        // Nothing more comes.
        let error = await thrown { () throws(TeapotError) in try await pieces.next() }
        #expect(error?.code == .timedOut)
    }

    @Test func `a redirect that begins at once is paused, too`() async throws {
        let isSent = Signal()
        let transport = ManualTransport { hop in
            guard hop.request.url?.lastPathComponent == "second" else { return isSent.fire() }
            hop.respond(200)
            hop.report(.data(Data(count: 2 * StreamSink.capacity)))
        }
        let teapot = teapot(transport)
        let call = Task {
            try await teapot.bytes(Teapot.Request(path: "first").with { $0.timeoutInterval = .infinity })
        }
        await isSent.wait()
        transport.hops.first?.answer(302, headers: ["Location": "/v1/second"])
        let bytes = try await call.value
        await transport.hops.last?.paused.wait()
        #expect(transport.hops.last?.flowChanges == [false])
        withExtendedLifetime(bytes) {}
    }

    @Test func `several readers share a body, and each byte goes to one`() async throws {
        let transport = ManualTransport { $0.respond(200) }
        let bytes = try await teapot(transport).bytes(
            Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }
        )
        let hop = try #require(transport.hops.first)
        let total = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    var chunks = bytes.makeAsyncIterator()
                    while let chunk = try? await chunks.next() { count += chunk.count }
                    return count
                }
            }
            for _ in 0..<1_000 { hop.report(.data(Data(count: 10))) }
            hop.report(.finished(nil))
            return await group.reduce(0, +)
        }
        #expect(total == 10_000)
    }
}
