#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// Faults of servers over `CurlTransport`, all of them in this process, because none of them ends it.
    @Suite(.inTurn)
    struct CurlFaultTests {
        private static let tables = FaultMatrixTests.tables.merging(["fatal": Fault.fatal]) { $1 }

        @Test(arguments: tables.keys.sorted())
        func `every fault has its outcome, once`(table: String) async throws {
            let faults = try #require(Self.tables[table]).map { fault in
                Self.better[fault.name].map { fault.with($0) } ?? fault
            }
            let runs = FaultRun.runs(of: faults) { CurlTransport() }
            #expect(await FaultRun.countPassed(runs) == runs.count)
        }

        @Test func `there is a fault for each exception`() {
            let names = Set(Self.tables.values.joined().map(\.name))
            #expect(Self.better.keys.allSatisfy(names.contains))
        }

        /// Where the outcome is better than over `URLSession`.
        private static let better: [String: @Sendable (inout Fault) -> Void] = [
            // They are responses: RFC 9112, sections 2.2 (an LF alone), 4 (no reason phrase) and 5 (blanks, names), and RFC 9110,
            // section 5.5 (other characters than ASCII).
            "lines that end in LF alone": succeed,
            "no reason phrase and no space": succeed,
            "no space after the colon": succeed,
            "a space before the colon": succeed,
            "a header field of several blanks": succeed,
            "a header field in Latin-1": succeed,
            // A field without a name, or with one that is not a token, is left out.
            "a header field without a name": succeed,
            "a space in the name of a header field": succeed,
            "reset between requests": { $0.shapes = Fault.allShapes },
            // The body of a redirect that is not followed is kept.
            "a redirect without a location": { $0.body = "{}" },
            "a redirect to an empty location": { $0.body = "{}" },
            // The body is not whole.
            "gzip without its checksum": cutOff("{}"),
            "gzip that is cut off": cutOff("{"),
            "gzip that is cut off in its header": cutOff(""),
            // CurlTransport knows that there is a body.
            "gzip of nothing without a length": { ($0.type, $0.status, $0.body) = (nil, 200, "") },
            "gzip in two members": succeed,
            // The end of the body is unknown: RFC 9112, section 6.3.
            "two lengths": unreadable,
            "two lengths in one field that differ": unreadable,
            "two lengths that differ, and chunks": unreadable,
            "a length with a plus sign": unreadable,
            // No body is so long: it would be cut off.
            "a length beyond 64 bits": unreadable,
            "a length of 2 to the power of 63": unreadable,
            // A header is what the RFC says, and has its limits, whatever the libcurl: RFC 9112, sections 2.2 and 4.
            "two spaces before the status": unreadable,
            "a status of four digits": unreadable,
            "a bare carriage return in a header field": unreadable,
            "10,000 header fields": refuse(.dataLengthExceedsMaximum),
            // No request offers a transfer coding: RFC 9112, section 7.4.
            "an unknown transfer coding": unreadable,
            "gzip as a transfer coding": unreadable,
            // There is a response, and so it is followed.
            "a redirect that is closed in the body": { ($0.type, $0.status) = (nil, 204) },
            "a redirect to an escaped slash in a host": { ($0.type, $0.status) = (.invalidResponseStatus, 302) },
            "a redirect to an escaped space in a host": { ($0.type, $0.status) = (.invalidResponseStatus, 302) },
        ]

        private static let unreadable = refuse(.badServerResponse)

        private static func refuse(_ cause: URLError.Code) -> @Sendable (inout Fault) -> Void {
            {
                Fault.refuse(&$0)
                $0.cause = cause
            }
        }

        private static func cutOff(_ body: String) -> @Sendable (inout Fault) -> Void {
            { ($0.type, $0.status, $0.body, $0.cause) = (.dataTaskError, 200, body, .cannotDecodeContentData) }
        }

        private static let succeed: @Sendable (inout Fault) -> Void = {
            ($0.type, $0.status, $0.body) = (nil, 200, "{}")
        }
    }
#endif
