import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import Testing

/// One row of the fault matrix in one shape.
struct FaultRun: Sendable {
    let fault: Fault
    let shape: CallShape
    var makeTransport: @Sendable () -> any Transport = { URLSessionTransport() }

    /// How many run at once. Until its first response, each of FoundationNetworking's connections keeps a core busy.
    private static let width = 16

    /// Faults, each in two shapes of a call: what becomes of a fault is decided where all shapes are one. The next fault has the
    /// next two, and another seed has others, so that CI's rounds come to all of them.
    static func runs(
        of faults: [Fault],
        over makeTransport: @escaping @Sendable () -> any Transport = { URLSessionTransport() }
    ) -> [FaultRun] {
        let seed = ProcessInfo.processInfo.environment["TEAPOT_FUZZ_SEED"].flatMap(UInt8.init) ?? 0
        var runs: [FaultRun] = []
        for (index, fault) in faults.enumerated() {
            for number in 0..<min(2, fault.shapes.count) {
                let shape = fault.shapes[(2 * (index + Int(seed)) + number) % fault.shapes.count]
                runs.append(FaultRun(fault: fault, shape: shape, makeTransport: makeTransport))
            }
        }
        return runs
    }

    /// Runs many, and reports what is not as it should be.
    ///
    /// - Returns: How many came out as they should.
    static func countPassed(_ runs: [FaultRun]) async -> Int {
        await withTaskGroup { group in
            var passed = 0
            for (index, run) in runs.enumerated() {
                if index >= width, await group.next() == true { passed += 1 }
                group.addTask { await run.passes() }
            }
            for await isPassed in group where isPassed { passed += 1 }
            return passed
        }
    }

    /// Runs it, and reports what is not as it should be.
    func passes() async -> Bool {
        do {
            let complaints = try await complaints()
            for complaint in complaints { Issue.record("\(fault.name), \(shape): \(complaint)") }
            return complaints.isEmpty
        } catch {
            Issue.record(error, "\(fault.name), \(shape)")
            return false
        }
    }

    private func complaints() async throws -> [String] {
        let server = try LoopbackServer()
        let first = fault.isOnUsedConnection ? Fault.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") : []
        if let steps = fault.steps { (0..<fault.connections).forEach { _ in server.run(Script(first + steps)) } }
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        let (silence, clock) = (Signal(), fault.isSilent ? TestClock() : nil)
        let teapot = Teapot(
            baseURL: fault.steps == nil ? nowhere : server.baseURL,
            defaultDeliveryQueue: .global(),
            transport: ListeningTransport(
                base: makeTransport(),
                path: "/get",
                bytes: fault.body.utf8.count,
                silence: silence
            ),
            clock: clock
        )
        if fault.isOnUsedConnection {
            try await teapot.send(Teapot.Request(path: "first").with { $0.timeoutInterval = 60 })
        }
        teapot.maximumResponseSize = fault.sizeLimit
        let folder = try TemporaryFolder()
        async let silent: Void = {
            guard let clock else { return }
            await silence.wait()
            clock.advance(by: .seconds(fault.timeout))
        }()
        let outcome = await shape.outcome(of: "get", from: teapot, timeoutInterval: fault.timeout, in: folder)
        await silent
        var complaints = differences(of: outcome, folder)
        // The next call works.
        teapot.baseURL = server.baseURL
        teapot.maximumResponseSize = nil
        if let error = await thrown(by: { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "status/200").with { $0.timeoutInterval = 60 })
        }) {
            complaints.append("the next call failed: \(error.failureReason ?? "\(error)")")
        }
        return complaints
    }

    private func differences(of outcome: CallOutcome, _ folder: TemporaryFolder) -> [String] {
        var differences: [String] = []
        func compare<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
            if value != expected { differences.append("\(name) is \(value), and not \(expected)") }
        }
        let (error, isDownload) = (outcome.error, shape == .download)
        compare("type", error?.type, shape == .image && fault.type == nil ? .missingImage : fault.type)
        compare("status", outcome.status ?? error?.responseStatus, fault.status)
        // A failed download leaves no part of its file.
        let isDiscarded = isDownload && fault.type != nil && (fault.status ?? 0) / 100 == 2
        let kept = folder.text("file") ?? String(decoding: error?.data ?? outcome.data, as: UTF8.self)
        compare("body", kept, isDiscarded ? "" : fault.body)
        if fault.cause != nil { compare("cause", error?.code, fault.cause) }
        compare("files", folder.names, isDownload && fault.type == nil ? ["file"] : [])
        return differences
    }
}

/// Says when a response and so much of its body have come, and been handed on.
private struct ListeningTransport: Transport {
    let base: any Transport
    let path: String
    let bytes: Int
    let silence: Signal

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let left = Locked(bytes)
        return base.start(request) { event in
            receive(event)
            guard request.urlRequest.url?.path() == path else { return }
            let count: Int
            switch event.kind {
            case .sent, .measured, .queued, .scheduled: return
            case .response: count = 0
            case .data(let data): count = data.count
            case .finished: count = bytes
            }
            let isOver = left.withLock { left in
                left -= count
                return left <= 0
            }
            if isOver { silence.fire() }
        }
    }
}
