import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Header fields that are not lists, and come more than once.
@Suite(.inTurn)
struct SingleFieldContractTests {
    /// The values of the fields with a name, and what they count as together.
    private static let date = "Sat, 21 Nov 2026 10:00:00 GMT"
    static let fields: [(name: String, values: [String], expected: String)] = [
        ("ETag", ["\"a, b\"", "\"a, b\""], "\"a, b\""),
        ("ETag", ["W/\"a\"", "\"b\""], "W/\"a\""),
        ("Content-Type", ["text/plain; charset=\"a,b\"", "text/html"], "text/plain; charset=\"a,b\""),
        ("Last-Modified", [date, date, date], date), ("Date", [date, "Sun, 22 Nov 2026 10:00:00 GMT"], date),
        ("Expires", [date, date], date), ("Expires", [date, "0"], "\(date), 0"),
        ("Retry-After", ["2", "2"], "2"), ("Retry-After", ["2", "5"], "2"),
        ("Location", ["/a,b"], "/a,b"), ("Location", ["/a,b", "/a,b"], "/a,b"),
        ("Content-Range", ["bytes 0-1/2", "bytes 0-1/2"], "bytes 0-1/2"),
        ("Content-Range", ["bytes 0-1/2", "bytes 0-1/3"], "bytes 0-1/2, bytes 0-1/3"),
        (
            "Content-Disposition", ["attachment; filename=a, b", "attachment; filename=a, b"],
            "attachment; filename=a, b"
        ),
        // Lists, and fields that nothing is known of.
        ("Allow", ["GET", "GET"], "GET, GET"), ("X-Tea", ["green", "green"], "green, green"),
    ]

    @Test(arguments: Backend.scriptable)
    func `equal ones count once, and of others the first, or all of them`(_ backend: Backend) async throws {
        for (name, values, expected) in Self.fields {
            let answer = ScriptedAnswer(200, values.map { (name, $0) }, "tea")
            let (teapot, server) = try backend.teapot(answering: ["/tea": answer])
            let response = try await teapot.get("tea")
            #expect(response.headerFields[name] == expected)
            #expect(response.headerFields.first { $0.name.lowercased() == name.lowercased() }?.value == expected)
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: Backend.scriptable, ["/there", "/there,too"])
    func `a redirect with equal locations is followed`(_ backend: Backend, _ location: String) async throws {
        let redirect = ScriptedAnswer(302, [("Location", location), ("Location", location)])
        let (teapot, server) = try backend.teapot(answering: [
            "/tea": redirect, location: ScriptedAnswer(200, [], "there"),
        ])
        let response = try await teapot.get("tea")
        #expect(response.text == "there")
        #expect(response.http.url?.path() == location)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: Backend.scriptable, ["/other", "//other.example/", "https://other.example/there"])
    func `a redirect with different locations is not followed`(_ backend: Backend, _ other: String) async throws {
        for locations in [["/there", other], [other, "/there"]] {
            let redirect = ScriptedAnswer(302, locations.map { ("Location", $0) }, "where?")
            let (teapot, server) = try backend.teapot(answering: ["/tea": redirect])
            let error = await thrown { () throws(TeapotError) in try await teapot.get("tea") }
            if let server { #expect(server.requests.count == 1) }
            // libcurl 8.23 refuses the response.
            if backend != .mock, error?.type == .noResponse || backend.rawValue == "curl" {
                #expect(error?.code != .timedOut)
                #expect(error?.type == .noResponse)
                continue
            }
            #expect(error?.type == .invalidResponseStatus)
            #expect(error?.responseStatus == 302)
            #expect(error?.failureReason == "the response has several Location fields that differ")
            #expect(error?.text == "where?")
        }
    }

    /// A delay that exceeds the maximum ends the call.
    @Test(arguments: Backend.scriptable)
    func `a delay that comes twice is obeyed`(_ backend: Backend) async throws {
        for (delays, attempts) in [(["86400", "86400"], 1), (["86400", "0"], 1), (["0", "86400"], 3)] {
            let unavailable = ScriptedAnswer(503, delays.map { ("Retry-After", $0) })
            let (teapot, server) = try backend.teapot(answering: ["/tea": unavailable])
            let plugin = WatchingPlugin()
            teapot.plugins = [plugin]
            teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
            let error = await thrown { () throws(TeapotError) in try await teapot.get("tea") }
            #expect(error?.responseStatus == 503)
            #expect(plugin.count == attempts)
            withExtendedLifetime(server) {}
        }
    }
}
