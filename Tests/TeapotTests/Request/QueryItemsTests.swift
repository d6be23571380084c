import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct QueryItemsTests {
    private func url(_ items: Teapot.QueryItems) throws -> String {
        let base = try BaseURL(#require(URL(string: "http://localhost")))
        return try #require(base).appending("a", query: items).absoluteString
    }

    /// What is sent as a query and as a form.
    private func sent(_ items: Teapot.QueryItems) throws -> [String] {
        let form = try #require(Teapot.Request.Body.form(items).data)
        return [try url(items).replacing("http://localhost/a?", with: ""), String(decoding: form, as: UTF8.self)]
    }

    @Test func `values are what is written as text without loss`() throws {
        let (page, score, isOpen, limit): (Int?, Double, Bool, Int?) = (2, 1e-7, true, nil)
        let items: Teapot.QueryItems = [
            "page": page, "score": score, "open": isOpen, "limit": limit, "part": "tea pot".prefix(3),
            "size": UInt64.max,
        ]
        #expect(
            try sent(items) == [
                "page=2&score=1e-07&open=true&part=tea&size=18446744073709551615",
                "page=2&score=1e-07&open=true&part=tea&size=18446744073709551615",
            ]
        )
    }

    private enum State: String, Teapot.QueryValue { case open, closed = "not open" }
    private enum Size: Int, Teapot.QueryValue { case small = 2 }
    /// Its description is not its raw value.
    private struct Both: RawRepresentable, LosslessStringConvertible, Teapot.QueryValue {
        let rawValue: Int

        init(rawValue: Int) { self.rawValue = rawValue }
        init?(_ description: String) { nil }

        var description: String { "number \(rawValue)" }
    }

    @Test func `an enumeration, an identifier and an array are values`() throws {
        let id = UUID()
        let (states, sizes, none): ([State], [Size]?, [Int]?) = ([.open, .closed], [.small, .small], nil)
        let items: Teapot.QueryItems = [
            "id": id, "state": states, "one": State.closed, "size": sizes, "none": none, "empty": [String](),
            "both": Both(rawValue: 3), "price": Decimal(string: "1.50"),
        ]
        #expect(
            try sent(items) == [
                "id=\(id)&state=open&state=not%20open&one=not%20open&size=2&size=2&both=3&price=1.5",
                "id=\(id)&state=open&state=not+open&one=not+open&size=2&size=2&both=3&price=1.5",
            ]
        )
    }

    @Test func `a dictionary is sorted by name`() throws {
        let (texts, states) = (["b": "1", "a": "x y"], ["b": ["open"], "a": []])
        #expect(try sent(Teapot.QueryItems(encoding: texts)) == ["a=x%20y&b=1", "a=x+y&b=1"])
        #expect(try sent(Teapot.QueryItems(encoding: states)) == ["b=open", "b=open"])
    }

    private struct Filter: Encodable {
        var isOpen = true
        var tags = ["green", "hot tea"]
        var since: Date? = Date(timeIntervalSince1970: 0)
        var limit: Int?
    }

    @Test func `a value is encoded by the rules of a form`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        let items = try Teapot.QueryItems(encoding: Filter(), using: encoder)
        #expect(try sent(items)[0] == "is_open=true&since=1970-01-01T00%3A00%3A00Z&tags=green&tags=hot%20tea")
        #expect(try sent(Teapot.QueryItems(encoding: Filter(since: nil)))[0] == "isOpen=true&tags=green&tags=hot%20tea")
        let error = #expect(throws: TeapotError.self) { try Teapot.QueryItems(encoding: ["a": [[1]]]) }
        #expect(error?.type == .invalidPayload)
        #expect(error?.failureReason == "$.a[0]: an object or array cannot be a value in a form or a query")
    }

    @Test func `nil omits an item, and a name without a value is an item`() throws {
        let since: String? = nil
        #expect(try url(["since": since]) == "http://localhost/a")
        #expect(try sent(["since": since, "limit": 2, "since": ""]) == ["limit=2&since=", "limit=2&since="])
        #expect(try sent([URLQueryItem(name: "archived", value: nil)]) == ["archived", "archived="])
        #expect(["since": since] == Teapot.QueryItems([]))
    }

    @Test func `arrays and array literals are the same as pairs`() {
        let array = [URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a", value: "")]
        #expect(Teapot.QueryItems(array) == ["b": 1, "a": ""])
        #expect([URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a", value: "")] == Teapot.QueryItems(array))
        #expect(Teapot.QueryItems(array).items == array)
        #expect(Teapot.QueryItems(array) != ["a": "", "b": 1])
    }

    @Test func `a description shows no secrets and no line breaks`() {
        var items: Teapot.QueryItems = ["token": "s3cret", "q": "a\nb"]
        items.items.append(URLQueryItem(name: "flag", value: nil))
        #expect("\(items)" == "token=<redacted>&q=a\\nb&flag")
    }
}
