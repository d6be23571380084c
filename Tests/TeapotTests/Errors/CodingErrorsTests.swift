import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct CodingErrorsTests {
    struct Cup: Decodable {
        enum Kind: String, Decodable { case green, black }
        struct Saucer: Decodable {
            let size: Int
        }
        let kind: Kind?
        let saucers: [Saucer]
        let token: Kind?
        let apiKey: UInt8?
        let home: URL?
    }

    private func error(decoding text: String) throws -> TeapotError {
        let url = try #require(URL(string: "http://h"))
        let response = Teapot.Response(data: Data(text.utf8), http: .standIn(for: url))
        return try #require(#expect(throws: TeapotError.self) { try response.decode(Cup.self) })
    }

    @Test(
        arguments: brief(
            [
                (
                    "text/html; charset=utf-8",
                    "<!DOCTYPE html>\n\n<title>Log in</title><a href='/in?token=hunter2'>Go</a>",
                    #"text/html, 72 bytes, "<!DOCTYPE html> <title>Log in</title><a href='/in?token=<redacted>>Go</a>""#
                ),
                ("text/plain", "Service Unavailable\n", #"text/plain, 20 bytes, "Service Unavailable""#),
                ("text/plain", "hunter2", "text/plain, 7 bytes"),
                // It is redacted before it is cut.
                (
                    "text/html", "<p>\(String(repeating: " ", count: 1_010))token=hunter2",
                    #"text/html, 1026 bytes, "<p> token=<redacted>""#
                ),
                ("application/json", #"{"token":"hunter2"#, "application/json, 17 bytes"),
            ] as [(String, String, String)]
        )
    )
    func `names a body that is not JSON`(_ argument: Brief<(String, String, String)>) throws {
        let (type, text, reason) = argument.value
        let url = try #require(URL(string: "http://h"))
        let http = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": type])
        )
        let error = #expect(throws: TeapotError.self) {
            try Teapot.Response(data: Data(text.utf8), http: http).decode(Cup.self)
        }
        #expect(error?.failureReason == "$: not valid JSON: \(reason)")
        #expect(error?.text == text)
        #expect("\(String(describing: error)) \(error?.debugDescription ?? "")".contains("hunter2") == false)
    }

    /// Callers who expect bytes or text.
    @Test(arguments: brief(["tea", "{\"tea\": 1}", "[1, \"a\"]", "\"%%\"", "null", ""]))
    func `says where the body is as it is`(_ text: Brief<String>) throws {
        let advice =
            "; for the body as it is, send without a type: response.data has its bytes, and response.text its text"
        func reason(_ type: (some Decodable).Type) throws -> String? {
            let url = try #require(URL(string: "http://h"))
            let http = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
            do {
                _ = try Teapot.Response(data: Data(text.value.utf8), http: http).decode(type)
                return nil
            } catch {
                #expect(error.type == .decodingFailed)
                #expect(error.underlyingError is DecodingError || text.value.isEmpty)
                return error.failureReason
            }
        }
        #expect(try reason(Data.self)?.hasSuffix(advice) == true)
        #expect(try reason([UInt8].self)?.hasSuffix(advice) == true)
        if text.value != "\"%%\"" { #expect(try reason(String.self)?.hasSuffix(advice) == true) }
        if !["null", ""].contains(text.value) { #expect(try reason(Data?.self)?.hasSuffix(advice) == true) }
        #expect(try reason(Cup.self)?.contains(advice) == false)
    }

    @Test(
        arguments: [
            // keyNotFound
            ("{}", "$: the key saucers is missing"),
            (#"{"saucers":[{"size":1},{}]}"#, "$.saucers[1]: the key size is missing"),
            // typeMismatch
            (#"{"saucers":{}}"#, "$.saucers: "),
            (#"{"saucers":[{"size":1},{"size":"big"}]}"#, "$.saucers[1].size: "),
            ("[]", "$: "),
            ("1", "$: "),
            // valueNotFound
            (#"{"saucers":[{"size":null}]}"#, "$.saucers[0].size: "),
            ("null", "$: "),
            // dataCorrupted
            (#"{"saucers":[],"kind":"white"}"#, "$.kind: "),
            ("{", "$: not valid JSON: 1 bytes"),
            ("tea", #"$: not valid JSON: 3 bytes, "tea""#),
            ("<html>", #"$: not valid JSON: 6 bytes, "<html>""#),
            ("[1,2,3", "$: not valid JSON: 6 bytes"),
            // Nothing
            ("", "the body is empty"),
        ] as [(String, String)]
    )
    func `says what is wrong and where`(text: String, reason: String) throws {
        let error = try error(decoding: text)
        #expect(error.type == .decodingFailed)
        let found = try #require(error.failureReason)
        #expect(found.hasPrefix(reason))
        #expect(found.count > reason.count || !reason.hasSuffix(": "))
        #expect(!found.hasSuffix("."))
        #expect(error.description == LocalizedStrings.text("Teapot:DecodingFailed", [found]))
        #expect(error.data == Data(text.utf8))
        #expect(error.debugDescription.contains(found))
    }

    @Test(arguments: [
        #"{"saucers":[],"token":"hunter2"}"#, #"{"saucers":[],"apiKey":70077007}"#,
        #"{"saucers":[],"home":"http://user:hunter2@[h/"}"#, #"{"password":"hunter2"}"#, #"{"token":"hunter2"#,
        "hunter2", #"["hunter2"]"#,
    ])
    func `shows no secret`(text: String) throws {
        let error = try error(decoding: text)
        for shown in [error.failureReason ?? "", error.description, error.debugDescription, "\(error)"] {
            #expect(!shown.contains("hunter2"))
            #expect(!shown.contains("70077007"))
        }
    }

    struct Order: Encodable {
        struct Line: Encodable {
            let price: Double
        }
        let lines: [Line]
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `names the place that cannot be encoded`(price: Double) {
        let error = #expect(throws: TeapotError.self) {
            let order = Order(lines: [Order.Line(price: 1), Order.Line(price: price)])
            _ = try Teapot.Request.Body.json(order).encoded()
        }
        #expect(error?.type == .invalidPayload)
        #expect(error?.failureReason?.hasPrefix("$.lines[1].price: ") == true)
        #expect(error?.failureReason?.hasSuffix(".") == false)
        #expect(error?.underlyingError is EncodingError)
    }

    @Test func `leaves other errors as they are`() {
        struct Refusal: LocalizedError {
            var errorDescription: String? { "out of tea." }
        }
        struct Unwilling: Encodable {
            func encode(to encoder: any Encoder) throws { throw Refusal() }
        }
        let error = #expect(throws: TeapotError.self) { try Teapot.Request.Body.json(Unwilling()).encoded() }
        #expect(error?.failureReason == "out of tea.")
    }
}
