import Teapot

/// The samples of the article "Cookies". `SamplesRunCookiesTests` runs them.
enum CookieSamples {
    static func csrf(_ teapot: Teapot, note: [String: String]) async throws {
        try await teapot.get("login")
        let token = teapot.cookies["csrftoken"] ?? ""
        try await teapot.post("notes", body: note, headerFields: ["X-CSRFToken": token])
    }

    static func clearing(_ teapot: Teapot) throws {
        try teapot.cookies.set([Teapot.Cookie(name: "theme", value: "dark")])
        teapot.cookies.removeAll()
    }

    static func saving(_ teapot: Teapot) throws -> Data {
        let saved = try JSONEncoder().encode(teapot.cookies.all)
        return saved
    }

    static func restoring(_ teapot: Teapot, saved: Data) throws {
        let cookies = try JSONDecoder().decode([Teapot.Cookie].self, from: saved)
        try teapot.cookies.set(cookies)
    }

    static func off(_ teapot: Teapot) {
        teapot.acceptsCookies = false
    }
}
