import Teapot

/// The samples of the article "Cookies".
enum CookieSamples {
    static func csrf(_ teapot: Teapot, note: [String: String]) async throws {
        //: Cookies 1
    }

    static func clearing(_ teapot: Teapot) throws {
        //: Cookies 2
    }

    static func saving(_ teapot: Teapot) throws -> Data {
        //: Cookies 3
        return saved
    }

    static func restoring(_ teapot: Teapot, saved: Data) throws {
        //: Cookies 4
    }
}
