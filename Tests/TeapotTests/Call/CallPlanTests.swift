import Foundation
import TestTraits
import Testing

@testable internal import Teapot

/// The rules of a call, without a server: this result, at this time, leads to that step.
@Suite(.inTurn)
struct CallPlanTests {
    // MARK: - What follows a result

    /// A result of a request at 10 s, after others, and the step that it leads to.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let result: ExchangeResult
        let step: String
        let rules: CallPlan.Rules
        let request: OutgoingRequest
        let before: [ExchangeResult]
        /// The step after a wait.
        let then: String?

        init(
            _ testDescription: String,
            _ result: ExchangeResult,
            _ step: String,
            then: String? = nil,
            rules: CallPlan.Rules = CallPlan.Rules(retryPolicy: .plain),
            request: URLRequest = .get,
            isIdempotent: Bool? = nil,
            before: [ExchangeResult] = []
        ) {
            (self.testDescription, self.result, self.step, self.then) = (testDescription, result, step, then)
            (self.rules, self.before) = (rules, before)
            self.request = OutgoingRequest(urlRequest: request, isIdempotent: isIdempotent)
        }
    }

    @Test(arguments: redirects + failures + retries + downloads)
    func `a result leads to a step`(_ row: Row) {
        var driver = Driver(row.request, row.rules)
        for result in row.before {
            driver.take(result)
            if driver.isWaiting { driver.resume(at: .seconds(10)) }
        }
        driver.take(row.result)
        #expect(driver.step == row.step)
        if let then = row.then {
            driver.resume(at: .seconds(11))
            #expect(driver.step == then)
        }
    }

    /// `BodyPiecesContractTests` has those whose body is sent once.
    static let redirects = [
        Row("a success", .status(200), "finish 200"),
        Row("a redirect", .status(302, ["Location": "/b"]), "send GET http://h/b"),
        Row("a redirect to itself in vain", .status(302), "finish invalidResponseStatus 302"),
        Row("a POST becomes a GET", .status(303, ["Location": "/b"]), "send GET http://h/b", request: .post),
        Row("a POST stays one", .status(307, ["Location": "/b"]), "send POST http://h/b body", request: .post),
        Row(
            "another origin gets no secret",
            .status(302, ["Location": "http://other/b"]),
            "send GET http://other/b",
            request: .get(["Authorization": "Bearer x"])
        ),
        Row(
            "ten redirects",
            .status(302, ["Location": "/b"]),
            "finish invalidResponseStatus 302",
            before: Array(repeating: .status(302, ["Location": "/b"]), count: 10)
        ),
        Row("a redirect to nowhere", .status(302, ["Location": "ftp://h/"]), "finish invalidResponseStatus 302"),
        Row(
            "a redirect with an error is not followed",
            .status(302, ["Location": "/b"], error: .networkConnectionLost),
            "wait 1 s"
        ),
        Row(
            "a redirect, then a failure: the first request again",
            .status(503),
            "wait 1 s",
            before: [.status(302, ["Location": "/b"])]
        ),
    ]

    static let failures = [
        Row("no response", .failure(.badURL), "finish noResponse"),
        Row("a response cut off", .status(200, error: .badServerResponse), "finish dataTaskError 200"),
        Row("nothing at all", .nothing, "finish noResponse"),
        Row("too large", .tooLarge, "finish responseTooLarge 200"),
        Row("a 401 without an authenticator", .status(401), "finish invalidResponseStatus 401"),
        Row(
            "a 401 for a request without the credential",
            .status(401),
            "finish invalidResponseStatus 401",
            rules: CallPlan.Rules(rejectedStatuses: [401])
        ),
    ]

    static let retries = [
        Row("no policy", .status(503), "finish invalidResponseStatus 503", rules: CallPlan.Rules()),
        Row("503", .status(503), "wait 1 s"),
        Row("404", .status(404), "finish invalidResponseStatus 404"),
        Row("a lost connection", .failure(.networkConnectionLost), "wait 1 s"),
        Row("a refused certificate", .failure(.serverCertificateUntrusted), "finish noResponse"),
        Row("Retry-After", .status(429, ["Retry-After": "7"]), "wait 7 s"),
        Row("a part of a second", .status(429, ["Retry-After": "7.5"]), "wait 7.5 s"),
        Row("too early", .status(425), "wait 1 s"),
        Row("too early for a POST", .status(425), "finish invalidResponseStatus 425", request: .post),
        Row("Retry-After beyond the maximum", .status(429, ["Retry-After": "61"]), "finish invalidResponseStatus 429"),
        Row("a POST", .status(503), "finish invalidResponseStatus 503", request: .post),
        Row(
            "a POST that may be sent twice",
            .status(503),
            "wait 1 s",
            request: .post,
            isIdempotent: true
        ),
        Row("a POST with a key", .status(503), "wait 1 s", request: .post(["Idempotency-Key": "1"])),
        Row(
            "a GET that may not",
            .status(503),
            "finish invalidResponseStatus 503",
            isIdempotent: false
        ),
        Row(
            "all attempts made",
            .status(503),
            "finish invalidResponseStatus 503",
            before: [.status(503), .status(503)]
        ),
        Row("answered by a cache", .status(504, isFromCache: true), "finish invalidResponseStatus 504"),
        Row(
            "beyond the deadline",
            .status(503),
            "finish invalidResponseStatus 503",
            rules: CallPlan.Rules(retryPolicy: .plain, lastStart: .seconds(10.9))
        ),
        Row(
            "before the deadline",
            .status(503),
            "wait 1 s",
            rules: CallPlan.Rules(retryPolicy: .plain, lastStart: .seconds(11.5))
        ),
        Row("the reader has the beginning", .brokenOff(.begun), "finish dataTaskError 200"),
        Row("the sink is at work", .brokenOff(.running), "finish dataTaskError 200"),
        Row("the sink starts over", .brokenOff(.partial(PartialBody(length: 5))), "wait 1 s"),
    ]

    static let downloads = [
        Row(
            "resumed with the last byte",
            .brokenOff(.partial(half)),
            "wait 1 s",
            then: "send GET http://h/a Range: bytes=49- If-Range: \"v\"",
            rules: .resuming
        ),
        Row(
            "a part that cannot be resumed",
            .brokenOff(.partial(PartialBody(length: 50))),
            "wait 1 s",
            then: "send GET http://h/a",
            rules: .resuming,
            request: .get(["Range": "bytes=9-", "If-Range": "\"u\""])
        ),
        Row(
            "a caller's own range stays",
            .brokenOff(.partial(half)),
            "wait 1 s",
            then: "send GET http://h/a Range: bytes=9-",
            request: .get(["Range": "bytes=9-"])
        ),
        Row(
            "nothing arrived",
            .failure(.timedOut),
            "wait 1 s",
            then: "send GET http://h/a Range: bytes=9-",
            rules: .resuming,
            request: .get(["Range": "bytes=9-"])
        ),
        Row(
            "a part that does not fit: the whole",
            .misfit,
            "send GET http://h/a",
            rules: .resuming,
            request: .get(["Range": "bytes=9-", "If-Range": "\"u\""])
        ),
        Row(
            "the whole is asked for once",
            .misfit,
            "finish fileError",
            rules: .resuming,
            request: .get(["Range": "bytes=9-", "If-Range": "\"u\""]),
            before: [.misfit]
        ),
        Row("a part that nobody asked for", .misfit, "finish fileError", rules: .resuming),
        Row(
            "a part that the caller asked for",
            .misfit,
            "finish fileError",
            request: .get(["Range": "bytes=9-"])
        ),
        Row(
            "progress begins the count anew",
            .brokenOff(.partial(half)),
            "wait 1 s",
            then: "send GET http://h/a Range: bytes=49- If-Range: \"v\"",
            rules: .resuming,
            before: [.status(503), .status(503)]
        ),
        Row(
            "less than a hundredth does not",
            .brokenOff(.partial(PartialBody(validator: "\"v\"", length: 2, expectedLength: 1_000))),
            "finish dataTaskError 200",
            rules: .resuming,
            before: [.status(503), .status(503)]
        ),
        Row(
            "progress counts once",
            .brokenOff(.partial(half)),
            "finish dataTaskError 200",
            rules: .resuming,
            before: Array(repeating: .brokenOff(.partial(half)), count: 3)
        ),
    ]

    private static let half = PartialBody(validator: "\"v\"", length: 50, expectedLength: 100)

    // MARK: - Credentials

    private let authorized = CallPlan.Rules(retryPolicy: .plain, rejectedStatuses: [401])

    @Test func `a credential is asked for first, and again after the plugins`() throws {
        let plan = CallPlan(sending: Indirect(.get), by: authorized, secrets: .standard)
        guard case .authorize(isRejected: false) = plan.start() else {
            Issue.record("no credential is asked for")
            return
        }
        #expect(plan.request.value.issued == nil)
        let issued = Authenticator.Issued.sample("one", number: 1)
        guard case .prepare = plan.next(with: .success(issued), isFresh: true) else {
            Issue.record("it is not prepared")
            return
        }
        var prepared = plan.request.value
        try issued.credential.apply(to: &prepared.urlRequest)
        let checked = plan.next(afterPreparing: .success(prepared), using: [issued.credential])
        guard case .authorize(isRejected: false) = checked else {
            Issue.record("the credential is not checked")
            return
        }
        #expect(plan.request.value.issued == issued)
        #expect(
            plan.summary(of: plan.next(with: .success(issued), isFresh: true))
                == "send GET http://h/a Authorization: Bearer one"
        )
        #expect(plan.attempts == 0)
    }

    @Test func `a request that was made with the credential is sent without another question`() {
        let plan = CallPlan(sending: Indirect(.made(with: "one")), by: authorized, secrets: .standard)
        guard case .prepare = plan.start() else {
            Issue.record("a credential is asked for")
            return
        }
        #expect(plan.summary(of: plan.next()) == "send GET http://h/a Authorization: Bearer one")
    }

    @Test func `a credential that came late, or that plugins had the request of, is checked`() {
        let plan = CallPlan(sending: Indirect(.get), by: authorized, secrets: .standard)
        _ = plan.start()
        _ = plan.next(with: .success(.sample("one", number: 1)), isFresh: false)
        let checked = plan.next(afterPreparing: .success(.made(with: "one")), using: [])
        #expect(plan.summary(of: checked) == "authorize GET http://h/a Authorization: Bearer one")
    }

    @Test func `the next attempt replaces the credential that the first request was made with`() {
        var driver = Driver(.made(with: "one"), authorized, credentials: ["two"])
        // After the plugins; they have not seen the request with the other credential.
        #expect(driver.authorizations == 2)
        #expect(driver.preparations == 2)
        #expect(driver.step == "send GET http://h/a Authorization: Bearer two")
        driver.take(.status(503))
        driver.resume(at: .seconds(11))
        #expect(driver.step == "send GET http://h/a Authorization: Bearer two")
        #expect(driver.plan.first.value.urlRequest.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test func `another attempt asks like a new request`() {
        let plan = CallPlan(sending: Indirect(.made(with: "one")), by: authorized, secrets: .standard)
        _ = plan.start()
        _ = plan.next()
        _ = plan.next(after: .status(503), at: .seconds(10))
        let step = plan.next(afterWaitingUntil: .seconds(11))
        #expect(plan.summary(of: step) == "authorize GET http://h/a")
        #expect(plan.request.value.issued == nil)
    }

    @Test func `a rejected credential is replaced once, in the same attempt`() throws {
        var driver = Driver(.get, authorized, credentials: ["one", "two", "three"])
        #expect(driver.step == "send GET http://h/a Authorization: Bearer one")
        driver.take(.status(401))
        #expect(driver.rejected == ["Bearer one"])
        #expect(driver.step == "send GET http://h/a Authorization: Bearer two")
        #expect(driver.plan.attempts == 1)
        driver.take(.status(401))
        #expect(driver.step == "finish invalidResponseStatus 401")
    }

    @Test func `after a redirect, that request is repeated`() throws {
        var driver = Driver(.get, authorized, credentials: ["one", "two"])
        driver.take(.status(307, ["Location": "/b"]))
        #expect(driver.step == "send GET http://h/b Authorization: Bearer one")
        // There may be another by now.
        #expect(driver.authorizations == 3)
        driver.take(.status(401))
        #expect(driver.step == "send GET http://h/b Authorization: Bearer two")
        // It counts as one of ten.
        for _ in 0..<10 { driver.take(.status(302, ["Location": "/b"])) }
        #expect(driver.step == "finish invalidResponseStatus 302")
        #expect(driver.plan.request.value.redirects == 10)
    }

    @Test func `another origin's 401 says nothing`() throws {
        var driver = Driver(.get, authorized, credentials: ["one", "two"])
        driver.take(.status(307, ["Location": "http://other/b"]))
        #expect(driver.step == "send GET http://other/b")
        driver.take(.status(401))
        #expect(driver.step == "finish invalidResponseStatus 401")
    }

    @Test func `a 401 comes before a retry`() throws {
        var policy = RetryPolicy()
        policy.statuses = [401]
        let rules = CallPlan.Rules(retryPolicy: policy, rejectedStatuses: [401])
        var driver = Driver(.get, rules, credentials: ["one", "two"])
        driver.take(.status(401))
        #expect(driver.step == "send GET http://h/a Authorization: Bearer two")
    }

    @Test func `without a credential the call ends`() {
        let plan = CallPlan(sending: Indirect(.get), by: authorized, secrets: .standard)
        _ = plan.start()
        let step = plan.next(with: .failure(URLError(.userAuthenticationRequired)), isFresh: false)
        #expect(plan.summary(of: step) == "finish preparationFailed")
    }

    // MARK: - Attempts

    @Test func `a plugin's error ends the call, with the credentials as secrets`() {
        let plan = CallPlan(sending: Indirect(.get), by: CallPlan.Rules(), secrets: .standard)
        guard case .prepare = plan.start() else {
            Issue.record("it is not prepared")
            return
        }
        let credential = Credential(headerField: "X-Tea", value: "oolong-oolong")
        let step = plan.next(afterPreparing: .failure(URLError(.badURL)), using: [credential])
        #expect(plan.summary(of: step) == "finish preparationFailed")
        #expect(plan.secrets.redacted(line: "oolong-oolong") == "<redacted>")
        #expect(plan.attempts == 0)
    }

    @Test func `each attempt is prepared, a redirect is not`() {
        var driver = Driver(.get, CallPlan.Rules(retryPolicy: .plain))
        driver.take(.status(302, ["Location": "/b"]))
        driver.take(.status(503))
        driver.resume(at: .seconds(11))
        #expect(driver.preparations == 2)
        #expect(driver.plan.attempts == 2)
        #expect(driver.step == "send GET http://h/a")
    }

    @Test func `a wait that ends after the deadline ends the call with the last error`() {
        var driver = Driver(.get, CallPlan.Rules(retryPolicy: .plain, lastStart: .seconds(20)))
        driver.take(.status(503))
        driver.resume(at: .seconds(20))
        #expect(driver.step == "finish invalidResponseStatus 503")
    }
}

// MARK: - Support

/// Does what the steps say, without plugins.
private struct Driver {
    let plan: CallPlan
    private(set) var step = ""
    private(set) var rejected: [String] = []
    private(set) var authorizations = 0
    private(set) var preparations = 0
    private var credentials: [Authenticator.Issued]

    init(_ request: OutgoingRequest, _ rules: CallPlan.Rules, credentials: [String] = []) {
        plan = CallPlan(sending: Indirect(request), by: rules, secrets: .standard)
        self.credentials = credentials.enumerated().map { .sample($1, number: $0) }
        run(plan.start())
    }

    private mutating func run(_ step: CallPlan.Step) {
        switch step {
        case .authorize(let isRejected):
            authorizations += 1
            if isRejected {
                rejected.append(plan.request.value.issued?.credential.value ?? "none")
                credentials.removeFirst()
            }
            run(plan.next(with: .success(credentials.first), isFresh: true))
        case .prepare:
            preparations += 1
            var request = plan.request.value
            try? request.issued?.credential.apply(to: &request.urlRequest)
            run(plan.next(afterPreparing: .success(request), using: request.issued.map { [$0.credential] } ?? []))
        case .send:
            _ = try? plan.begin(at: .zero)
            self.step = plan.summary(of: step)
        case .wait, .finish: self.step = plan.summary(of: step)
        }
    }

    /// The request ends at 10 s.
    mutating func take(_ result: ExchangeResult) { run(plan.next(after: result, at: .seconds(10))) }

    mutating func resume(at time: Duration) { run(plan.next(afterWaitingUntil: time)) }

    var isWaiting: Bool { step.hasPrefix("wait") }
}

extension CallPlan {
    fileprivate func summary(of step: Step) -> String {
        switch step {
        case .authorize(let isRejected): "authorize \(request.value.summary)\(isRejected ? " rejected" : "")"
        case .prepare: "prepare \(request.value.summary)"
        case .send: "send \(request.value.summary)"
        case .wait(let time, _): "wait \((time - .seconds(10)).inSeconds)"
        case .finish(.success(let response)): "finish \(response.status)"
        case .finish(.failure(let error)):
            "finish \(error.type)" + (error.responseStatus.map { " \($0)" } ?? "")
        }
    }
}

extension OutgoingRequest {
    fileprivate static let get = OutgoingRequest(urlRequest: .get)

    fileprivate static func made(with token: String) -> OutgoingRequest {
        var request = OutgoingRequest(urlRequest: .get(["Authorization": "Bearer \(token)"]))
        request.issued = .sample(token, number: 9)
        request.sent.credentials = [.bearer(token)]
        return request
    }

    fileprivate var summary: String {
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key > $1.key }
        let method = "\(urlRequest.httpMethod ?? "") \(urlRequest.url?.absoluteString ?? "")"
        let body = urlRequest.httpBody == nil ? [] : ["body"]
        return ([method] + fields.map { "\($0.key): \($0.value)" } + body).joined(separator: " ")
    }
}

extension URLRequest {
    fileprivate static let get = get([:])
    fileprivate static let post = post([:])

    fileprivate static func get(_ fields: [String: String]) -> URLRequest {
        var request = URLRequest(url: URL(string: "http://h/a") ?? URL(filePath: "/"))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    fileprivate static func post(_ fields: [String: String]) -> URLRequest {
        var request = get(fields)
        request.httpMethod = "POST"
        request.httpBody = Data("tea".utf8)
        return request
    }
}

extension RetryPolicy {
    /// Three attempts, a second apart.
    fileprivate static var plain: RetryPolicy {
        var policy = RetryPolicy(baseDelay: .seconds(1))
        policy.random = { 1 }
        return policy
    }
}

extension CallPlan.Rules {
    fileprivate static let resuming = CallPlan.Rules(retryPolicy: .plain, resumes: true)
}

extension Authenticator.Issued {
    fileprivate static func sample(_ token: String, number: Int) -> Authenticator.Issued {
        Authenticator.Issued(.bearer(token), scope: "", number: number, at: Date(timeIntervalSince1970: 0))
    }
}

extension ExchangeResult {
    private convenience init(
        _ response: ResponseHead?,
        error: (any Error)? = nil,
        timings: Teapot.Timings = Teapot.Timings(),
        sinkState: SinkState = .none
    ) {
        self.init(response: response, data: Data(), error: error, timings: timings, sinkState: sinkState)
    }

    fileprivate static let nothing = ExchangeResult(nil)

    fileprivate static func status(
        _ status: Int,
        _ fields: [String: String] = [:],
        error: URLError.Code? = nil,
        isFromCache: Bool = false
    ) -> ExchangeResult {
        var timings = Teapot.Timings()
        timings.isFromCache = isFromCache
        return ExchangeResult(.sample(status, fields), error: error.map { URLError($0) }, timings: timings)
    }

    fileprivate static func failure(_ code: URLError.Code) -> ExchangeResult {
        ExchangeResult(nil, error: URLError(code))
    }

    fileprivate static func brokenOff(_ sinkState: SinkState) -> ExchangeResult {
        ExchangeResult(.sample(200), error: URLError(.networkConnectionLost), sinkState: sinkState)
    }

    fileprivate static let tooLarge = ExchangeResult(
        .sample(200),
        error: TeapotError.responseTooLarge(limit: 1, response: .sample(200), data: Data())
    )

    /// A part of another file, which the sink has refused.
    fileprivate static let misfit = ExchangeResult(
        .sample(206),
        error: TeapotError.fileError(URL(filePath: "/f"), "a different part"),
        sinkState: .partial(PartialBody())
    )
}

extension ResponseHead {
    fileprivate static func sample(_ status: Int, _ fields: [String: String] = [:]) -> ResponseHead? {
        URLRequest.get.url.map { ResponseHead(url: $0, status: status, lines: FieldLines(fields)) }
    }
}
