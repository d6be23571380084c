import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct OriginTests {
    private static func origin(_ text: String) -> Origin? {
        URL(string: text).flatMap(Origin.init)
    }

    @Test(arguments: [
        ("http://h", "http://h:80/x?y#z"), ("https://h/a", "https://h:443/b"),
        ("HTTP://H.Example/", "http://h.example"),
        ("http://u:p@h/", "http://h/"),
    ])
    func `is the same`(one: String, other: String) throws {
        let origin = try #require(Self.origin(one))
        #expect(origin == Self.origin(other))
    }

    @Test(arguments: [
        ("http://h", "https://h"), ("http://h", "http://h:81"), ("http://h:443", "https://h"), ("http://h", "http://g"),
        ("http://h", "http://h."), ("http://127.0.0.1", "http://localhost"),
    ])
    func `is another`(one: String, other: String) throws {
        let origin = try #require(Self.origin(one))
        let another = try #require(Self.origin(other))
        #expect(origin != another)
    }
}
