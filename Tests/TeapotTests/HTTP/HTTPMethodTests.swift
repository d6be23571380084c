import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct HTTPMethodTests {
    @Test func `includes the known methods`() {
        let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete]
        #expect(known.map(\.rawValue) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        #expect(known.map(\.description) == known.map(\.rawValue))
        #expect(known.allSatisfy { HTTPMethod(rawValue: $0.rawValue) == $0 })
    }

    @Test(arguments: ["PURGE", "M-SEARCH", "get", "X!"])
    func `can be any token`(token: String) {
        #expect(HTTPMethod(rawValue: token)?.rawValue == token)
    }

    @Test(arguments: brief(["", " ", "GET ", "GET / HTTP/1.1\r\nX: y", "GÉT", "A\0", "A\nB"]))
    func `cannot be anything else`(_ argument: Brief<String>) {
        let text = argument.value
        #expect(HTTPMethod(rawValue: text) == nil)
    }

    @Test func `has a maximum length`() {
        #expect(HTTPMethod(rawValue: String(repeating: "A", count: 64)) != nil)
        #expect(HTTPMethod(rawValue: String(repeating: "A", count: 65)) == nil)
    }

    @Test func `is case-sensitive`() {
        #expect(HTTPMethod(rawValue: "get") != .get)
    }
}
