import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Files that are changed while they are sent, or between two attempts.
@Suite(.inTurn)
struct BodyFileTests {
    enum Change: CaseIterable, Sendable {
        case grows, shrinks, vanishes, isReplaced, isRewritten

        /// Does it to a file of so many bytes.
        func make(of file: URL, size: Int) throws {
            switch self {
            case .grows:
                let handle = try FileHandle(forWritingTo: file)
                try handle.seekToEnd()
                try handle.write(contentsOf: Data("DELETE /smuggled HTTP/1.1\r\nHost: tea\r\n\r\n".utf8))
            case .shrinks: try #require(truncate(file.path, off_t(size / 10)) == 0)
            case .vanishes: try FileManager.default.removeItem(at: file)
            case .isReplaced:
                let other = file.appendingPathExtension("new")
                try Data(repeating: 1, count: size).write(to: other)
                try #require(rename(other.path, file.path) == 0)
            case .isRewritten:
                let handle = try FileHandle(forWritingTo: file)
                try handle.write(contentsOf: Data(repeating: 1, count: size))
            }
        }
    }

    private static let answer = Script.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file with generated content that was written a while ago.
    private func file(_ size: Int) throws -> URL {
        let file = folder.file("body")
        try GeneratedFile.bytes(0..<size).write(to: file)
        // The system's time of a change may be the same for some milliseconds.
        let time = Date(timeIntervalSince1970: 1)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
        return file
    }

    #if canImport(FoundationNetworking)
        /// More than sockets and what is read ahead hold.
        private static let size = 12_000_000

        @Test(arguments: [Change.grows, .vanishes, .isReplaced])
        func `the content at the time of opening is sent`(change: Change) async throws {
            let file = try file(Self.size)
            let server = try LoopbackServer(scripts: [
                Script([.waitForRelease, .readRequest, Self.answer, .readRequest, Self.answer])
            ])
            let teapot = Teapot(baseURL: server.baseURL)
            teapot.timeoutInterval = .infinity
            let isSending = Signal()
            async let call: Teapot.Response = teapot.upload(Teapot.Request(.put, path: "x", body: .file(file))) {
                step in
                if step.bytes > 0 { isSending.fire() }
            }
            await isSending.wait()
            try change.make(of: file, size: Self.size)
            server.release()
            _ = try await call
            // On the same connection, as there was nothing left over on it.
            try await teapot.get("next")
            #expect(server.requests.map(\.method) == ["PUT", "GET"])
            let isWhole = try #require(server.requests.first).body == GeneratedFile.bytes(0..<Self.size)
            #expect(isWhole)
        }

        /// libcurl sends a request again when a connection that was in use is closed without an answer.
        @Test(arguments: Change.allCases)
        func `the content at the time of opening is sent again, or the call fails`(change: Change) async throws {
            let size = 1_000_000
            let file = try file(size)
            let server = try LoopbackServer(scripts: [
                Script([.readRequest, Self.answer, .readRequest, .waitForRelease])
            ])
            let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
            try await teapot.get("first")
            async let call = thrown { () throws(TeapotError) in
                try await teapot.upload(Teapot.Request(.put, path: "put", body: .file(file)))
            }
            _ = await server.received(2)
            try change.make(of: file, size: size)
            server.release()
            let error = await call
            if change == .shrinks {
                #expect(error?.type == .fileError)
                #expect(error?.failureReason?.hasPrefix(file.path) == true)
            } else {
                #expect(error == nil)
                #expect(server.requests.map(\.body.count) == [0, size, size])
                let isSame = change == .isRewritten || server.requests[1].body == server.requests[2].body
                #expect(isSame)
            }
        }
    #endif

    @Test(arguments: Change.allCases)
    func `a file must not change between two attempts`(change: Change) async throws {
        let size = 100_000
        let file = try file(size)
        let isFirst = Locked(true)
        let server = try LoopbackServer { _ in
            guard isFirst.withLock({ $0 }) else { return nil }
            isFirst.withLock { $0 = false }
            try? change.make(of: file, size: size)
            return Script([.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")])
        }
        let teapot = Teapot(baseURL: server.baseURL, clock: ContinuousClock())
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        let error = await thrown { () throws(TeapotError) in
            try await teapot.upload(
                Teapot.Request(.put, path: "put", body: .file(file)).with { $0.timeoutInterval = .infinity }
            )
        }
        if change == .grows {
            #expect(error == nil)
            #expect(server.requests.map(\.body.count) == [size, size])
        } else {
            #expect(error?.type == .fileError)
            #expect(error?.failureReason?.hasPrefix(file.path) == true)
            #expect(server.requests.count == 1)
        }
    }
}
