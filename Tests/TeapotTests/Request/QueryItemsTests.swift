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
