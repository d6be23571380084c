import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct HTTPMethodTests {
    @Test(arguments: ["PURGE", "M-SEARCH", "get", "X!", String(repeating: "A", count: 64)])
    func `can be any token`(token: String) {
        #expect(Teapot.HTTPMethod(rawValue: token)?.rawValue == token)
    }

    static let others = [
        "", " ", "GET ", "GET / HTTP/1.1\r\nX: y", "GÉT", "A\0", "A\nB", "a:b", "a/b",
        String(repeating: "A", count: 65),
    ]

    @Test(arguments: brief(others))
    func `cannot be anything else`(_ argument: Brief<String>) {
        #expect(Teapot.HTTPMethod(rawValue: argument.value) == nil)
    }
}
