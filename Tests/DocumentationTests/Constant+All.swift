extension Constant {
    static let all = linux + requests + retries + security + transfers + events + transports + testing + project

    private static let linux = [
        Constant("TeapotOnLinux", "follows up to {} redirects", Place(redirects, "static let limit = {}")),
        Constant("TeapotOnLinux", "refuses other payloads of more than {} levels", Place(json, depth)),
        Constant("TeapotOnLinux", "Payloads of more than {} levels fail", Place(json, depth)),
        Constant("TeapotOnLinux", "when {} pieces are waiting", Place(delegateQueue, "static let capacity = {}")),
        Constant(
            "TeapotOnLinux",
            "by at most {} s for each piece",
            Place(delegateQueue, "patience: TimeInterval = {}")
        ),
        Constant(
            "TeapotOnLinux",
            "Up to {} MB is read ahead",
            unit: megabyte,
            Place(readAhead, "static let capacity = {}"),
            Place("Sources/Teapot/Files/RegularFile.swift", "static let pieceLength = {}")
        ),
        Constant("TeapotOnLinux", "longer than {} seconds to read", Place(readAhead, "patience: TimeInterval = {}")),
        Constant("TeapotOnLinux", "about {} MB waits in memory", unit: megabyte, Place(bodyBuffer, capacity)),
        Constant(
            "CONTRIBUTING.md",
            "the tests {} times in a row",
            Place(".ci/repetition", "for round in 1 2 3 {}; do")
        ),
    ]

    private static let requests = [
        Constant("GettingStarted", "more than {} levels", Place(json, depth)),
        Constant("GettingStarted", "The default is {} seconds", Place(client, "timeoutInterval: TimeInterval = {}")),
        Constant("GettingStarted", "a placeholder with status {}", Place(response, "(url: url, statusCode: {},")),
        Constant(
            "MigratingFromTheOriginal",
            "a placeholder with status {}",
            Place(response, "(url: url, statusCode: {},")
        ),
        Constant("AsyncAndCodable", "outside {} to 299", Place(response, "var isSuccess: Bool { ({}...299)")),
        Constant("AsyncAndCodable", "outside 200 to {} ", Place(response, "var isSuccess: Bool { (200...{})")),
        Constant("Logging", "more than {} KB", unit: 1_024, Place(redaction, "static let maximumBodySize = {}")),
        Constant("Plugins", "Zero is reported after {} s", Place(counter, "self.init(queue: queue, pause: {},")),
    ]

    private static let retries = [
        Constant("RetriesAndCredentials", "including the first | {} |", Place(retry, "maximumAttempts: Int = {},")),
        Constant(
            "RetriesAndCredentials",
            "``RetryPolicy/statuses`` | {} |",
            Place(retry, "standardStatuses: Set<Int> = [{}]")
        ),
        Constant(
            "RetriesAndCredentials",
            "before the second attempt | {} s |",
            unit: 1_000,
            Place(retry, "baseDelay: Duration = .milliseconds({})")
        ),
        Constant(
            "RetriesAndCredentials",
            "before any attempt | {} s |",
            Place(retry, "maximumDelay: Duration = .seconds({})")
        ),
        Constant(
            "RetriesAndCredentials",
            "before it is sent, from {} seconds before that time",
            Place(authenticator, "credential.expires.map { $0 - min({},")
        ),
        Constant("RetriesAndCredentials", "takes longer than {} seconds", Place(authenticator, refreshTimeout)),
        Constant(
            "RetriesAndCredentials",
            "The {} seconds are the `refreshTimeout`",
            Place(authenticator, refreshTimeout)
        ),
    ]

    private static let security = [
        Constant("Security", "Limits: {} cookies per domain", Place(cookies, "static let limitOfDomain = {}")),
        Constant("Security", "per domain, {} in all", Place(cookies, "static let limit = {}")),
        Constant(
            "Security",
            "in all, {} KB each",
            unit: 1_024,
            Place("Sources/Teapot/HTTP/SetCookie.swift", "(maximumSize, maximumAttributeSize) = ({},")
        ),
    ]

    private static let transfers = [
        Constant("Transfers", "at most every {} s", Place(progress, "static let interval = {}")),
        Constant("Transfers", "About {} MB waits in memory", unit: megabyte, Place(bodyBuffer, capacity)),
    ]

    private static let events = [
        Constant("ServerSentEvents", "waits for {} seconds, or", Place(parser, "retryDelay = Duration.seconds({})")),
        Constant("ServerSentEvents", "it waits {} seconds at least", unit: 1_000, Place(serverSentEvents, backoff)),
        // Eight doublings.
        Constant("ServerSentEvents", "up to {} seconds.", unit: 1_000 / 256, Place(serverSentEvents, backoff)),
        Constant("ServerSentEvents", "the timeout is {} seconds", Place(serverSentEvents, "? $0 : nil } ?? {}")),
        Constant("ServerSentEvents", "than every {} minutes", unit: 60, Place(serverSentEvents, "? $0 : nil } ?? {}")),
        Constant(
            "ServerSentEvents",
            "an event may have {} MB",
            unit: megabyte,
            Place(serverSentEvents, "maximumResponseSize ?? {}")
        ),
    ]

    private static let transports = [
        Constant("ChoosingATransport", "libcurl {} or later is needed", Place(library, "needs libcurl {} or later")),
        Constant("ChoosingATransport", "more than {} fields", Place(header, "static let maximumFieldCount = {}")),
        Constant("TeapotOnLinux", "{} are under way", Place(configuration, "maximumConnectionsPerHost = {}")),
        Constant(
            "ChoosingATransport",
            "A host gets {} connections",
            Place(configuration, "maximumConnectionsPerHost = {}")
        ),
        Constant(
            "ChoosingATransport",
            "sends up to {} calls",
            Place("Sources/TeapotCurl/CurlEngine.swift", "private static let maximumStreams = {}")
        ),
        Constant(cache, "Of one URL {} variants", Place(store, "private static let maximumVariants = {}")),
        Constant(
            cache,
            "other than {} | no |",
            Place("Sources/TeapotCache/StoredResponse.swift", "let statuses = [{}]")
        ),
        Constant(
            cache,
            "fails with status {} if",
            Place("Sources/TeapotCache/CachingTransport.swift", "statusCode: {},")
        ),
        Constant(
            cache,
            "more than {} names in `Vary`",
            Place("Sources/TeapotCache/StoredResponse.swift", "maximumVaryingCount = {}")
        ),
        Constant(
            cache,
            "finished, after {} seconds",
            Place("Sources/TeapotCache/CachingTransport.swift", "min({}, request")
        ),
        Constant(
            cache,
            "responds with {}, or the transport",
            Place("Sources/TeapotCache/CachedExchange.swift", "if [{}].contains")
        ),
        Constant(
            cache,
            "takes longer than {} second after",
            Place("Sources/TeapotCache/RequestsUnderWay.swift", ".scheduled([.seconds({})])")
        ),
    ]

    private static let testing = [
        Constant(
            time,
            "does not move for {} seconds",
            Place(clock, "convenience init() { self.init(patience: .seconds({}),")
        ),
        Constant(time, "{} seconds, the timeout of the call", Place(client, "timeoutInterval: TimeInterval = {}")),
        Constant(
            "CONTRIBUTING.md",
            "to {} test cases at a time",
            Place("Tests/TestTraits/InTurn.swift", "Turns(count: {})")
        ),
        Constant("CONTRIBUTING.md", "Time limits are {} minutes", Place(faultTests, ".timeLimit(.minutes({}))")),
        Constant(
            "CONTRIBUTING.md",
            "line coverage of the products in the same run, {} %",
            Place(".ci/address-sanitizer", "minimum={}")
        ),
    ]

    private static let project = [
        Constant("README.md", "It needs Swift {} and", Place("Package.swift", "swift-tools-version: {}")),
        Constant("README.md", "macOS {},", Place("Package.swift", ".macOS(.v{})")),
        Constant("README.md", "iOS {}, tvOS", Place("Package.swift", ".iOS(.v{})")),
        Constant("README.md", "tvOS {},", Place("Package.swift", ".tvOS(.v{})")),
        Constant("README.md", "watchOS {} or", Place("Package.swift", ".watchOS(.v{})")),
        Constant("README.md", "visionOS {}.", Place("Package.swift", ".visionOS(.v{})")),
        Constant("Reliability", "The soak sends {} requests", Place("\(soak)/Soak.swift", "arguments.requests ?? {}")),
        Constant("Reliability", "requests, {} at a time", Place("\(soak)/Soak.swift", "static let width = {}")),
        Constant(
            "Reliability",
            "{} times, when no request",
            Place("\(soak)/SoakReport.swift", "static let pointCount = {}")
        ),
        Constant("Reliability", "Over the last {} points", Place("\(soak)/SoakReport.swift", "comparedCount = {}")),
        Constant(
            "Reliability",
            "more than {} bytes per request",
            Place("\(soak)/SoakReport.swift", "platformBytes = {}")
        ),
        Constant(
            "CONTRIBUTING.md",
            "{} mocked requests",
            Place("Sources/TeapotBenchmark/Mock/MockLoad.swift", "?? {}")
        ),
    ]

    private static let megabyte = 1_048_576.0
    private static let depth = "static let maximumDepth = {}"
    private static let capacity = "static let capacity = {}"
    private static let backoff = "Duration.milliseconds({} << Swift.min(reconnects - 1, 8))"
    private static let refreshTimeout = "refreshTimeout: Duration? = .seconds({})"

    private static let redirects = "Sources/Teapot/HTTP/RedirectPolicy.swift"
    private static let json = "Sources/Teapot/JSON/JSONWriter.swift"
    private static let delegateQueue = "Sources/Teapot/Transport/Linux/DelegateQueue.swift"
    private static let readAhead = "Sources/Teapot/Transport/Linux/ReadAhead.swift"
    private static let bodyBuffer = "Sources/Teapot/Streams/BodyBuffer.swift"
    private static let client = "Sources/Teapot/Client/Teapot.swift"
    private static let response = "Sources/Teapot/Response/Response.swift"
    private static let redaction = "Sources/Teapot/Redaction/SecretPolicy+Redaction.swift"
    private static let counter = "Sources/Teapot/Plugins/RequestCounter.swift"
    private static let retry = "Sources/Teapot/Client/RetryPolicy.swift"
    private static let authenticator = "Sources/Teapot/Credentials/Authenticator.swift"
    private static let cookies = "Sources/Teapot/HTTP/CookieJar.swift"
    private static let progress = "Sources/Teapot/Files/ProgressMeter.swift"
    private static let parser = "Sources/Teapot/Streams/ServerSentEventParser.swift"
    private static let serverSentEvents = "Sources/Teapot/Streams/ServerSentEvents.swift"
    private static let library = "Sources/TeapotCurl/CurlLibrary.swift"
    private static let header = "Sources/TeapotCurl/ResponseHeader.swift"
    private static let configuration = "Sources/TeapotCurl/CurlTransport+Configuration.swift"
    private static let store = "Sources/TeapotCache/ResponseStore.swift"
    private static let cache = "Sources/TeapotCache/TeapotCache.docc/TeapotCache.md"
    private static let clock = "Sources/TeapotMock/Time/TestClock.swift"
    private static let time = "Sources/TeapotMock/TeapotMock.docc/ControllingTime.md"
    private static let soak = "Sources/TeapotBenchmark/Soak"
    private static let faultTests = "Tests/TeapotTests/Transport/Faults/FaultTests.swift"
}
