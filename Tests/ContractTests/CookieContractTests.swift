import Teapot
import TestSupport
import TestTraits
import Testing

/// Cookies that servers set and see.
@Suite(.timeLimit(.minutes(10)), .inTurn)
struct CookieContractTests {
    private struct Seen: Decodable, Sendable {
        let cookies: [String: String]
    }

    @Test(arguments: Backend.servers)
    func `cookies are read, set, restored and removed`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        try await teapot.get("cookies/set/csrf/t0ken")
        #expect(teapot.cookies["csrf"] == "t0ken")
        try teapot.cookies.set([Teapot.Cookie(name: "theme", value: "dark")])
        let all = ["csrf": "t0ken", "theme": "dark"]
        #expect(try await teapot.get("cookies", as: Seen.self).cookies == all)
        let other = try backend.teapot()
        let saved = try JSONEncoder().encode(teapot.cookies.all)
        try other.cookies.set(JSONDecoder().decode([Teapot.Cookie].self, from: saved))
        #expect(try await other.get("cookies", as: Seen.self).cookies == all)
        other.cookies.removeAll()
        #expect(try await other.get("cookies", as: Seen.self).cookies.isEmpty)
    }
}
