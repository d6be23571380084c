import Foundation
@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct FormBodyTests {
    private typealias Body = Teapot.Request.Body

    private func text(_ body: Body) throws -> String {
        #expect(body.contentType == "application/x-www-form-urlencoded")
        return try String(decoding: #require(body.encoded().data), as: UTF8.self)
    }

    private func encoded(_ value: some Encodable & Sendable, using encoder: JSONEncoder? = nil) throws -> String {
        try text(Body.form(encoding: value).encoded(using: encoder))
    }

    // MARK: - Pairs

    @Test func `pairs keep their order and may repeat`() throws {
        let form = Body.form(["scope": "b", "id": "1", "scope": "a", "": "", "empty": ""])
        #expect(try text(form) == "scope=b&id=1&scope=a&=&empty=")
        #expect(try text(Body.form([:])).isEmpty)
        var items: Teapot.QueryItems = ["b": "1", "b": nil]
        items.items.append(URLQueryItem(name: "a", value: nil))
        #expect(try text(Body.form(items)) == "b=1&a=")
    }

    /// https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set
    static let encodedTexts: [(String, String)] = [
        ("a b", "a+b"), ("a+b", "a%2Bb"), ("a&b=c", "a%26b%3Dc"), ("*-._", "*-._"), ("~", "%7E"),
        ("!'()", "%21%27%28%29"),
        ("ü", "%C3%BC"), ("😀", "%F0%9F%98%80"), ("50%", "50%25"), ("%41", "%2541"), ("a\r\nb", "a%0D%0Ab"),
        ("\u{0}", "%00"),
        (";/?:@$,#[]", "%3B%2F%3F%3A%40%24%2C%23%5B%5D"), ("  ", "++"), ("azAZ09", "azAZ09"), ("\u{7F}", "%7F"),
        ("e\u{301}", "e%CC%81"), (" \u{301}", "+%CC%81"), ("a\u{301} &", "a%CC%81+%26"),
    ]

    @Test(arguments: brief(encodedTexts))
    func `text is encoded as the URL standard says`(_ argument: Brief<(String, String)>) throws {
        let (text, encoded) = argument.value
        #expect(PercentEncoding.encodeForm(text) == encoded)
        #expect(try self.text(Body.form([text: text])) == "\(encoded)=\(encoded)")
    }

    // MARK: - Values

    private struct Order: Encodable, Sendable {
        var teaKind = "green tea"
        var count = 2
        var isHot = true
        var price = Decimal(string: "19.99")
        var weight = 0.5
        var note: String?
        var tags = ["b", "a"]
        var none: [Int] = []
    }

    @Test func `a flat object is a form with sorted names`() throws {
        #expect(
            try encoded(Order()) == "count=2&isHot=true&price=19.99&tags=b&tags=a&teaKind=green+tea&weight=0.5"
        )
        #expect(try encoded(["b": "1", "a": nil]) == "b=1")
        #expect(try encoded([String: Int]()).isEmpty)
        #expect(try encoded(["a": [1, nil, 2]]) == "a=1&a=2")
        #expect(try encoded(["": "x"]) == "=x")
    }

    @Test func `names and dates are the encoder's`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        #expect(try encoded(Order(), using: encoder).contains("tea_kind=green+tea"))
        let date = ["at": Date(timeIntervalSince1970: 0)]
        #expect(try encoded(date, using: encoder) == "at=1970-01-01T00%3A00%3A00Z")
        #expect(try encoded(date) == "at=-978307200")
        #expect(try encoded(["data": Data([0xFF, 0xFE])]) == "data=%2F%2F4%3D")
        #expect(try encoded(["url": URL(string: "http://h/a?b")]) == "url=http%3A%2F%2Fh%2Fa%3Fb")
    }

    @Test func `the Teapot's encoder counts unless the request has one`() async throws {
        let mock = MockTeapot(bundle: .module)
        mock.encoder.keyEncodingStrategy = .convertToSnakeCase
        try await mock.send(Teapot.Request(.post, path: "a", body: .form(encoding: Order(tags: []))))
        let own = Teapot.Request(.post, path: "a", body: .form(encoding: ["teaKind": 1]))
        try await mock.send(own.with { $0.encoder = JSONEncoder() })
        let bodies = mock.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["count=2&is_hot=true&price=19.99&tea_kind=green+tea&weight=0.5", "teaKind=1"])
        let array = Teapot.Request(.post, path: "a", body: .form(encoding: [1]))
        let error = await thrown { () throws(TeapotError) in try await mock.send(array) }
        #expect(error?.type == .invalidPayload)
        #expect(mock.requests.count == 2)
    }

    private struct Nested: Encodable, Sendable {
        struct Address: Encodable, Sendable { var street = "x" }
        var name = "a"
        var address = Address()
    }

    @Test func `a nested value is refused with its place`() throws {
        func reason(_ value: some Encodable & Sendable) -> String? {
            do throws(TeapotError) {
                _ = try Body.form(encoding: value).encoded()
                return nil
            } catch {
                #expect(error.type == .invalidPayload)
                return error.failureReason
            }
        }
        #expect(reason(Nested()) == "$.address: an object or array cannot be a value in a form or a query")
        #expect(reason(["a": [[1]]]) == "$.a[0]: an object or array cannot be a value in a form or a query")
        #expect(
            reason(["": ["a", "b"].map { [$0: 1] }])
                == "$[\"\"][0]: an object or array cannot be a value in a form or a query"
        )
        for text in [reason([1]), reason("a"), reason(1), reason(Data()), reason(String?.none)] {
            #expect(text == "$: only a value that encodes as an object has names and values")
        }
        #expect(reason(["a": Double.nan])?.hasPrefix("$.a: ") == true)
    }

    @Test func `a client's identifier and secret are encoded before they are joined`() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h")))
        try Credential.basic(clientID: "s6BhdRkqt3", clientSecret: "gX1fBat3bV").prepare(&request)
        // The example of RFC 6749, section 2.3.1.
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW")
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        try Credential.basic(clientID: "a:b", clientSecret: "ü \n").prepare(&request)
        let value = "Basic " + Data("a%3Ab:%C3%BC+%0A".utf8).base64EncodedString()
        #expect(request.value(forHTTPHeaderField: "Authorization") == value)
    }
}
