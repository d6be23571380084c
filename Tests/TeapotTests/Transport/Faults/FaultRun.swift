import LoopbackServer
import Teapot
import TestSupport
import Testing

/// One row of the fault matrix in one shape.
struct FaultRun: Sendable {
    let fault: Fault
    let shape: FaultShape
    var makeTransport: @Sendable () -> any Transport = { URLSessionTransport() }

    /// What a call came to.
    fileprivate struct Outcome: Sendable {
        var type: TeapotError.ErrorType?
        var status: Int?
        var body = ""
        var cause: URLError.Code?
        /// What a download has left in its folder.
        var files: [String] = []
    }

    /// What is sent, in more than one piece.
    private static let body = Data(count: 100_000)
    /// How many run at once: enough for all that wait for a timeout.
    private static let width = 64

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
        let teapot = Teapot(
            baseURL: fault.steps == nil ? nowhere : server.baseURL,
            defaultDeliveryQueue: .global(),
            transport: makeTransport()
        )
        if fault.isOnUsedConnection { try await teapot.get("first", timeoutInterval: 60) }
        teapot.maximumResponseSize = fault.sizeLimit
        let completions = Locked(0)
        let outcome = try await outcome(from: teapot, counting: completions)
        var complaints = differences(of: outcome)
        // The next call is none the worse for it.
        teapot.baseURL = server.baseURL
        teapot.maximumResponseSize = nil
        if let error = await thrown(by: { () throws(TeapotError) in
            try await teapot.get("status/200", timeoutInterval: 60)
        }) {
            complaints.append("the next call failed: \(error.failureReason ?? "\(error)")")
        }
        // An async call cannot return twice.
        let count = completions.withLock { $0 }
        if shape == .closure || shape == .image, count != 1 { complaints.append("it completed \(count) times") }
        return complaints
    }

    private func differences(of outcome: Outcome) -> [String] {
        var differences: [String] = []
        func compare<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
            if value != expected { differences.append("\(name) is \(value), and not \(expected)") }
        }
        compare("type", outcome.type, shape == .image && fault.type == nil ? .missingImage : fault.type)
        compare("status", outcome.status, fault.status)
        // What a download that fails has got of its file is gone.
        let isDiscarded = shape == .download && fault.type != nil && (fault.status ?? 0) / 100 == 2
        compare("body", outcome.body, isDiscarded ? "" : fault.body)
        if fault.cause != nil { compare("cause", outcome.cause, fault.cause) }
        if shape == .download { compare("files", outcome.files, fault.type == nil ? ["tea"] : []) }
        return differences
    }

    private func outcome(from teapot: Teapot, counting completions: Locked<Int>) async throws -> Outcome {
        let request = Teapot.Request(fault.method, path: "get", timeoutInterval: fault.timeout)
        @Sendable func count() { completions.withLock { $0 += 1 } }
        switch shape {
        case .closure:
            return await withCheckedContinuation { continuation in
                teapot.send(request) { result in
                    count()
                    continuation.resume(returning: Outcome(result))
                }
            }
        case .image:
            return await withCheckedContinuation { continuation in
                teapot.downloadImage(path: "get", timeoutInterval: fault.timeout) { result in
                    count()
                    continuation.resume(returning: Outcome(CallResult(result)))
                }
            }
        case .async:
            return await Outcome { () throws(TeapotError) in try await teapot.send(request) }
        case .download:
            let folder = try TemporaryFolder()
            var outcome = await Outcome { () throws(TeapotError) in
                try await teapot.download(request, to: folder.file("tea"))
            }
            outcome.files = folder.names
            outcome.body += folder.text("tea") ?? ""
            return outcome
        case .upload:
            let folder = try TemporaryFolder()
            try Self.body.write(to: folder.file("tea"))
            return await Outcome { () throws(TeapotError) in
                let body = Teapot.Request.Body(file: folder.file("tea"))
                return try await teapot.upload(.init(.put, path: "get", body: body, timeoutInterval: fault.timeout))
            }
        case .post:
            let body = Teapot.Request.Body(Self.body, contentType: "image/x-tea")
            return await Outcome { () throws(TeapotError) in
                try await teapot.send(.init(.post, path: "get", body: body, timeoutInterval: fault.timeout))
            }
        }
    }
}

extension FaultRun.Outcome {
    fileprivate init(_ result: Result<Teapot.Response, TeapotError>) {
        switch result {
        case .success(let response):
            self.init(status: response.status, body: String(decoding: response.data, as: UTF8.self))
        case .failure(let error):
            self.init(error)
        }
    }

    fileprivate init(_ error: TeapotError) {
        type = error.type
        status = error.responseStatus
        body = String(decoding: error.data ?? Data(), as: UTF8.self)
        cause = (error.underlyingError as? URLError)?.code
    }

    fileprivate init(_ call: () async throws(TeapotError) -> Teapot.Response) async {
        do {
            self.init(.success(try await call()))
        } catch {
            self.init(error)
        }
    }

    fileprivate init(_ result: CallResult) {
        if let error = result.error {
            self.init(error)
        } else {
            self.init(status: result.response.status, body: "an image")
        }
    }
}
