import Foundation
import LoopbackServer
import TeapotCurl
import TestTraits
import Testing

@testable internal import Teapot

private enum PublicSuites {
    static let directory = ProcessInfo.processInfo.environment["TEAPOT_SUITES"].map { URL(fileURLWithPath: $0) }
}

/// Rows of public suites, if they lie beside the checkout: `.ci/suites` names their directory in `TEAPOT_SUITES`. A row that
/// Teapot decides otherwise on purpose is listed in ``SuiteDeviation``.
@Suite(
    .enabled(if: PublicSuites.directory != nil, "TEAPOT_SUITES names no directory with rows of public suites"),
    .inTurn
)
struct SuiteTests {
    /// What the rows that are not about cookies go over.
    #if os(Linux)
        private static let transport: any Transport = CurlTransport()
    #else
        private static let transport: any Transport = URLSessionTransport()
    #endif

    // MARK: - Suites

    @Test func `cookies over URLSession`() async throws {
        try await check("cookies", SuiteDeviation.cookies + SuiteDeviation.joinedCookies) { row in
            try await Self.problem(of: row, over: URLSessionTransport())
        }
    }

    #if os(Linux)
        @Test func `cookies over CurlTransport`() async throws {
            try await check("cookies", SuiteDeviation.cookies + SuiteDeviation.separateCookies) { row in
                try await Self.problem(of: row, over: CurlTransport())
            }
        }
    #endif

    private static func problem(of row: CookieRow, over transport: any Transport) async throws -> String? {
        let (teapot, server) = try client(row.base, transport) { _, index in
            index < row.responses.count
                ? row.responses[index] : Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        _ = try? await teapot.get(Teapot.Path(row.first))
        if let second = row.second { _ = try? await teapot.get(Teapot.Path(second)) }
        let requests = server.requests
        guard requests.count == row.responses.count + 1 else { return "\(requests.count) requests" }
        let sent = requests.last?.header("Cookie")
        let expected = row.expected.map { String(decoding: $0, as: UTF8.self) }
        return sent == expected ? nil : "sent: \(sent ?? "nothing")"
    }

    @Test func `challenges`() async throws {
        try await check("challenges") { (row: ValueRow<[ChallengeItem]>) in
            let field = try await Self.answer(to: row).headerFields["WWW-Authenticate"] ?? ""
            return row.expected.difference(from: Teapot.Challenge.challenges(in: field).map(ChallengeItem.init))
        }
    }

    @Test func `links`() async throws {
        try await check("links") { (row: ValueRow<[LinkItem]>) in
            let fields = ["Link": try await Self.answer(to: row).headerFields["Link"] ?? ""]
            let response = HTTPURLResponse(url: LinkItem.base, statusCode: 200, httpVersion: nil, headerFields: fields)
            let links = Teapot.Response(data: Data(), http: try #require(response)).links
            return row.expected.difference(from: links.map(LinkItem.init))
        }
    }

    @Test func `problems`() async throws {
        try await check("problems") { (row: ValueRow<ProblemItem?>) in
            let response = try await Self.answer(to: row)
            let type = MediaType(response.headerFields["Content-Type"] ?? "").name
            guard type == "application/problem+json" else { return "the media type is \(type)" }
            return row.expected.difference(from: Teapot.ProblemDetails(response.data, .standard).map(ProblemItem.init))
        }
    }

    @Test func `dates`() async throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        let dates = format
        // The server's clock, by the responses.
        let now = try #require(dates.date(from: "Fri, 01 Jan 1960 00:00:00 GMT"))
        try await check("dates", SuiteDeviation.dates) { (row: DateRow) in
            let response = try await Self.answer(to: row)
            let delay = ResponseHead.foundation(response.http).retryAfter
            let date = row.date.flatMap(dates.date(from:)).map { Duration.seconds($0.timeIntervalSince(now)) }
            return delay == row.seconds.map { Duration.seconds($0) } ?? date ? nil : "\(delay as Any)"
        }
    }

    @Test func `events`() async throws {
        let rows = try Self.rows("events") as [EventRow]
        let responses = Dictionary(rows.map { ($0.id, $0.responses) }) { first, _ in first }
        try await check("events", SuiteDeviation.events) { (row: EventRow) in
            let url = try #require(URL(string: "http://h.example/case/0"))
            let (teapot, server) = try Self.client(url, Self.transport) { path, index in
                // A redirect leads to another row.
                let row = path.split(separator: "/").last.flatMap { responses[String($0)] } ?? []
                return row[min(index, row.count - 1)]
            }
            let start = ContinuousClock.now
            var events: [[String]] = []
            var hasFailed = false
            do {
                for try await event in teapot.events(
                    .init(path: Teapot.Path(row.id)),
                    maximumReconnects: row.reconnects
                ) {
                    events.append([event.type, event.data, event.id])
                    if events.count == row.count { break }
                }
            } catch {
                hasFailed = true
            }
            return row.problem(of: events, hasFailed, server.requests, after: ContinuousClock.now - start)
        }
    }

    // MARK: - Running

    /// A client for a server that gives the response to the nth request of a path.
    private static func client(
        _ base: URL,
        _ transport: any Transport,
        response: @escaping @Sendable (String, Int) -> Data
    ) throws -> (Teapot, LoopbackServer) {
        let count = Locked(0)
        let server = try LoopbackServer { request in
            let index = count.withLock { count in
                count += 1
                return count - 1
            }
            return Script([.send(response(request.path, index)), .close])
        }
        return (Teapot(baseURL: base, transport: ReroutingTransport(base: transport, url: server.baseURL)), server)
    }

    private static func answer(to row: some ResponseRow) async throws -> Teapot.Response {
        let url = try #require(URL(string: "http://h.example"))
        let (teapot, server) = try client(url, transport) { _, _ in row.responses.first ?? Data() }
        defer { withExtendedLifetime(server) {} }
        do {
            return try await teapot.get("row")
        } catch {
            return try #require(error.wholeResponse, "\(error)")
        }
    }

    private static func rows<Row: Decodable>(_ file: String) throws -> [Row] {
        let data = try Data(contentsOf: #require(PublicSuites.directory).appending(path: "\(file).jsonl"))
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Row.self, from: $0) }
    }

    /// Finds the problem of each row, `nil` if there is none, and compares it with the list of those that are on purpose.
    private func check<Row: ResponseRow>(
        _ file: String,
        _ deviations: [SuiteDeviation] = [],
        problem: @escaping @Sendable (Row) async throws -> String?
    ) async throws {
        let rows = try Self.rows(file) as [Row]
        let listed = deviations.flatMap(\.ids)
        #expect(listed.count == Set(listed).count, "a row is listed twice")
        #expect(Set(listed).subtracting(rows.map(\.id)).isEmpty, "a row is listed that is not there")
        let problems = try await withThrowingTaskGroup(of: (String, String?).self) { group in
            var problems: [String: String] = [:]
            for (index, row) in rows.enumerated() {
                if index >= 24, let (id, problem) = try await group.next() { problems[id] = problem }
                group.addTask { (row.id, try await problem(row)) }
            }
            for try await (id, problem) in group { problems[id] = problem }
            return problems
        }
        for row in rows {
            let (problem, isListed) = (problems[row.id], listed.contains(row.id))
            if isListed, problem == nil { Issue.record("\(row.id) is listed, but Teapot decides it as the suite says") }
            if !isListed, let problem { Issue.record("\(row.id): \(problem)") }
        }
    }
}

/// Sends requests for all hosts to one server.
private struct ReroutingTransport: Transport {
    let base: any Transport
    let url: URL

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        var request = request
        var components = request.urlRequest.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        components?.host = url.host()
        components?.port = url.port
        request.urlRequest.url = components?.url
        return base.start(request, receive: receive)
    }
}

// MARK: - Rows

private protocol ResponseRow: Decodable, Sendable {
    var id: String { get }
    var responses: [Data] { get }
}

private struct CookieRow: ResponseRow {
    let id: String
    let base: URL
    let first: String
    let second: String?
    let expected: Data?
    let responses: [Data]
}

private struct ValueRow<Value: Decodable & Equatable & Sendable>: ResponseRow {
    let id: String
    let expected: Expected<Value>
    let responses: [Data]
}

/// A value, or any, where the suite leaves it open.
private enum Expected<Value: Decodable & Equatable & Sendable>: Decodable, Sendable {
    case any
    case value(Value)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = try (try? container.decode(String.self)) == "free" ? .any : .value(container.decode(Value.self))
    }

    func difference(from value: Value) -> String? {
        if case .value(let expected) = self, expected != value { "\(value)" } else { nil }
    }
}

private struct ChallengeItem: Decodable, Equatable {
    let scheme: String
    let token68: String?
    let parameters: [String: String]

    init(_ challenge: Teapot.Challenge) {
        scheme = challenge.scheme
        token68 = challenge.token68
        parameters = challenge.parameters
    }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        scheme = try list.decode(String.self)
        token68 = try list.decodeNil() ? nil : list.decode(String.self)
        parameters = try list.decode([String: String].self)
    }
}

private struct LinkItem: Decodable, Equatable {
    /// The base of RFC 3986, section 5.4.
    static let base = URL(string: "http://example.com:8888/b/c/d;p?q") ?? URL(fileURLWithPath: "/")

    let url: URL?
    let rels: [String]
    let parameters: [String: String]

    init(_ link: Teapot.Link) {
        url = link.url
        rels = link.relations
        parameters = link.parameters
    }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        url = try Self.base.resolving(list.decode(String.self))
        rels = try list.decode([String].self)
        parameters = try list.decode([String: String].self)
    }
}

private struct ProblemItem: Decodable, Equatable {
    let type: String
    let title: String?
    let status: Int?
    let detail: String?
    let instance: String?
    let ext: Set<String>

    init(_ problem: Teapot.ProblemDetails) {
        type = problem.type
        title = problem.title
        status = problem.status
        detail = problem.detail
        instance = problem.instance
        ext = Set(problem.extensions.keys)
    }
}

private struct DateRow: ResponseRow {
    let id: String
    let date: String?
    let seconds: Int?
    let responses: [Data]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(String.self, forKey: .id)
        date = try container.decodeIfPresent(String.self, forKey: .date)
        seconds = try container.decodeIfPresent(Int.self, forKey: .seconds)
        responses = try container.decode([Data].self, forKey: .responses)
    }

    private enum Key: String, CodingKey {
        case id, responses
        case date = "expected_date"
        case seconds = "expected_seconds"
    }
}

private struct EventRow: ResponseRow {
    let id: String
    let count: Int
    let reconnects: Int
    let expected: Outcome
    let lastIDs: [String]?
    let wanted: [String]?
    let elapsed: [Double]?
    let responses: [Data]

    enum Outcome: Decodable, Sendable {
        case events([[String]])
        /// No event; `error` if the client must say so.
        case end(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? container.decode(String.self)).map(Self.end) ?? .events(container.decode([[String]].self))
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, reconnects, expected, elapsed, responses
        case count = "n"
        case lastIDs = "lastids"
        case wanted = "want"
    }

    func problem(of events: [[String]], _ hasFailed: Bool, _ requests: [ReceivedRequest], after time: Duration)
        -> String?
    {
        switch expected {
        case .events(let expected) where expected != events: return "\(events)"
        case .events where hasFailed: return "an error"
        case .end(let end) where !events.isEmpty || end == "error" && !hasFailed: return "\(events)"
        default: break
        }
        let ids = requests.map { $0.header("Last-Event-ID") ?? "" }
        if let lastIDs, lastIDs != ids { return "\(ids)" }
        // The upper bound depends on the machine.
        if let least = elapsed?.first, time < .seconds(least) { return "\(time)" }
        for field in wanted ?? [] {
            let parts = field.split(separator: ": ")
            let value = requests.first?.header(String(parts[0])) ?? ""
            if !parts[1].split(separator: "|").contains(value[...]) { return "\(parts[0]): \(value)" }
        }
        return nil
    }
}
