import Foundation
import Teapot
import TeapotCurl
import TeapotMock
import TestSupport

/// A call without a server, whose instructions and allocations are counted.
///
/// The bodies are as small as can be: the cost of a call itself is counted, and not that of reading its body.
struct CountedCall: Sendable {
    let name: String
    let summary: String
    /// The most instructions that it is to take; `nil` for none.
    let goal: Int?
    /// How many calls the lesser process makes; `nil` for the number that is asked for.
    var requests: Int?
    /// The number of bytes whose reading is counted, one by one.
    var bytes = 1
    let make: Case.Maker

    static let all = [instantGet, authenticatedGet, mockedGet, decoding, header, client] + hostileFields

    private static let object = Data(#"{"id":1}"#.utf8)

    private struct Item: Decodable, Sendable {
        let id: Int
    }

    private static let instantGet = CountedCall(
        name: "instant-get",
        summary: "closure GET of {} over a transport that answers at once",
        goal: 38_000
    ) { server in
        let teapot = Teapot.client(of: server, try InstantTransport(server))
        return .calls { completion in
            teapot.get("item") { completion($0.failure()) }
        }
    }

    private static let authenticatedGet = CountedCall(
        name: "authenticated-get",
        summary: "the same with an Authenticator that has a credential",
        goal: nil
    ) { server in
        let teapot = Teapot.client(of: server, try InstantTransport(server))
        teapot.authenticator = Authenticator(.bearer("s3cret")) { _ in .bearer("another") }
        return .calls { completion in
            teapot.get("item") { completion($0.failure()) }
        }
    }

    private static let mockedGet = CountedCall(
        name: "mocked-async-get",
        summary: "async GET of an object of one number from MockTeapot, decoded",
        goal: 62_000
    ) { _ in
        let mock = MockTeapot(strictIn: .main)
        try mock.overrideEndPoint("item", method: .get, with: .json(.data(object)))
        return .tasks { _ = try await mock.get("item", as: Item.self) }
    }

    private static let decoding = CountedCall(
        name: "decoding",
        summary: "JSONDecoder alone with that object, which is a part of the call above",
        goal: nil
    ) { _ in
        let decoder = JSONDecoder()
        return .steps { _ = try decoder.decode(Item.self, from: object) }
    }

    private static let header = CountedCall(
        name: "response-header",
        summary: "CurlTransport's parsing of a header of ten fields",
        goal: nil
    ) { server in
        #if os(Linux)
            let lines = headerLines.map { Array($0.utf8) }
            return .steps {
                var header = ResponseHeader(canBeHTTP2: false)
                for line in lines { _ = try line.withUnsafeBytes { try header.take($0, of: server) { "HTTP/1.1" } } }
            }
        #else
            throw CaseFailure("CurlTransport is for Linux")
        #endif
    }

    private static let headerLines = [
        "HTTP/1.1 200 OK\r\n", "Server: nginx/1.27.0\r\n", "Date: Thu, 26 Nov 2026 12:00:00 GMT\r\n",
        "Content-Type: application/json; charset=utf-8\r\n", "Content-Length: 8\r\n", "Connection: keep-alive\r\n",
        "Vary: Accept-Encoding, Origin\r\n", "ETag: \"5f3c-1a2b\"\r\n", "Cache-Control: private, max-age=60\r\n",
        "X-Request-ID: 0b6a7c1e\r\n", "Strict-Transport-Security: max-age=63072000\r\n", "\r\n",
    ]

    private static let client = CountedCall(
        name: "client",
        summary: "creating and dropping a Teapot",
        goal: 30_000
    ) { server in
        .steps { _ = Teapot(baseURL: server) }
    }
}

/// A transport that answers each request before `start` returns, with the same response.
private struct InstantTransport: Transport {
    private let response: HTTPURLResponse
    private let body = Data("{}".utf8)

    init(_ url: URL) throws {
        let headerFields = ["Content-Type": "application/json"]
        guard
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: headerFields)
        else { throw URLError(.badURL) }
        self.response = response
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        receive(.response(response))
        receive(.data(body))
        receive(.finished(nil))
        return nil
    }
}

/// Counts the instructions and allocations of calls without a server, and prints a table of them.
func instructions(_ arguments: Arguments) throws {
    let requests = arguments.requests ?? Instructions.requests
    let valgrind = Instructions.valgrind
    print("\(Machine.current)\n")
    var table = TextTable(["call", "instructions", "goal", "result", "allocations"])
    ProgressLine.show("\(CountedCall.all.count) kinds of calls, \(requests) and \(3 * requests) times")
    let counts = try valgrind.map { try Instructions.perCall(CountedCall.all, requests: requests, valgrind: $0) }
    for call in CountedCall.all {
        let count = counts?[call.name]
        let allocations = try Allocations.perRequest(
            of: call.name,
            .teapot,
            from: Instructions.server,
            requests: min(call.requests ?? requests, Instructions.allocatingRequests),
            runs: 1
        )
        let isReached = call.goal.flatMap { goal in count.map { $0 <= Double(goal) } }
        table.add([
            call.name, count?.text(digits: 0) ?? "not counted", call.goal.map { "\($0)" } ?? "–",
            isReached.map { $0 ? "reached" : "not reached" } ?? "–", allocations?.text(digits: 1) ?? "not counted",
        ])
    }
    ProgressLine.clear()
    print(table.markdown + "\n\n" + CountedCall.all.map { "\($0.name): \($0.summary)" }.joined(separator: "\n"))
    if valgrind == nil { print("\nInstructions are not counted, because valgrind is not installed.") }
}

/// Counts instructions by callgrind of valgrind. Other than times, they hardly differ from one run to the next.
enum Instructions {
    /// How many calls the lesser process makes by default.
    static let requests = 500
    /// `mtrace` writes a line for each allocation.
    static let allocatingRequests = 100
    /// No request is sent there.
    static let server = URL(string: "http://api.example.com") ?? URL(fileURLWithPath: "/")

    /// The path of valgrind; `nil` where there is none.
    static var valgrind: String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/valgrind" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Counts for some calls, as many at a time as there are cores: the load changes no count.
    ///
    /// - Parameters:
    ///   - calls: The calls.
    ///   - requests: How many calls the lesser process makes.
    ///   - valgrind: The path of valgrind.
    /// - Returns: The numbers by the names of the calls, of all threads, without those of the kernel.
    /// - Throws: ``CaseFailure`` when a call fails, or valgrind does.
    static func perCall(_ calls: [CountedCall], requests: Int, valgrind: String) throws -> [String: Double] {
        let results = Locked<[String: Result<Double, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: calls.count) { index in
            let result = Result { try perCall(calls[index], requests: requests, valgrind: valgrind) }
            results.withLock { $0[calls[index].name] = result }
        }
        // The first failure is that of the first call.
        return try calls.reduce(into: [:]) { counts, call in
            counts[call.name] = try results.withLock { $0[call.name] }?.get()
        }
    }

    /// The difference between a process and one with three times as many calls.
    private static func perCall(_ call: CountedCall, requests: Int, valgrind: String) throws -> Double {
        let requests = call.requests ?? requests
        let few = try count(call, requests: requests, valgrind)
        let many = try count(call, requests: 3 * requests, valgrind)
        return Double(many - few) / Double(2 * requests * call.bytes)
    }

    private static func count(_ call: CountedCall, requests: Int, _ valgrind: String) throws -> Int {
        let folder = try TemporaryFolder()
        let file = folder.file("callgrind")
        _ = try ChildProcess.run(
            call.name,
            .teapot,
            from: server,
            requests: requests,
            under: [valgrind, "-q", "--tool=callgrind", "--callgrind-out-file=\(file.path)"],
            // Dictionaries in the same order each time, and no search for symbols in the middle of calls.
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1", "LD_BIND_NOW": "1"]
        )
        guard let total = total(of: folder.text(file.lastPathComponent) ?? "") else {
            throw CaseFailure("\(call.name): callgrind wrote no total")
        }
        return total
    }

    /// Reads the total of callgrind's file, in the line `totals: N`.
    static func total(of profile: String) -> Int? {
        profile.split(separator: "\n").last { $0.hasPrefix("totals: ") }.flatMap { Int($0.dropFirst(8)) }
    }
}
