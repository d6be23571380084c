import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct QueryItemsTests {
    private func url(_ items: QueryItems) throws -> String {
        let base = try BaseURL(#require(URL(string: "http://localhost")))
        return try #require(base).appending("a", query: items).absoluteString
    }

    /// What is sent as a query and as a form.
    private func sent(_ items: QueryItems) throws -> [String] {
        let form = try #require(Teapot.Request.Body.form(items).data)
        return [try url(items).replacing("http://localhost/a?", with: ""), String(decoding: form, as: UTF8.self)]
    }

    @Test func `values are what is written as text without loss`() throws {
        let (page, score, isOpen, limit): (Int?, Double, Bool, Int?) = (2, 1e-7, true, nil)
        let items: QueryItems = [
            "page": page, "score": score, "open": isOpen, "limit": limit, "part": "tea pot".prefix(3),
            "size": UInt64.max,
        ]
        #expect(
            try sent(items) == [
                "page=2&score=1e-07&open=true&limit&part=tea&size=18446744073709551615",
                "page=2&score=1e-07&open=true&limit=&part=tea&size=18446744073709551615",
            ]
        )
    }

    @Test func `arrays and array literals are the same as pairs`() {
        let array = [URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a", value: nil)]
        #expect(QueryItems(array) == ["b": 1, "a": nil])
        #expect([URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a", value: nil)] == QueryItems(array))
        #expect(Array(QueryItems(array)) == array)
        #expect(QueryItems(array) != ["a": nil, "b": 1])
    }

    @Test func `a description shows no secrets and no line breaks`() {
        let items: QueryItems = ["token": "s3cret", "q": "a\nb", "flag": nil]
        #expect("\(items)" == "token=<redacted>&q=a\\nb&flag")
    }
}
