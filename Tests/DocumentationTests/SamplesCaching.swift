import Teapot
import TeapotCache

/// The samples of the article "Caching". `SamplesRunCachingTests` runs them.
enum CachingSamples {
    static func overview(_ baseURL: URL, show: (String) -> Void) async throws {
        let cache = CachingTransport()
        let teapot = Teapot(baseURL: baseURL, transport: cache)
        let notes = try await teapot.get("notes")
        show(notes.isFromCache ? "stored" : "new")
    }

    static func directives(_ teapot: Teapot) async throws -> [Teapot.Response] {
        let fresh = try await teapot.get("notes", headerFields: ["Cache-Control": "no-cache"])
        let recent = try await teapot.get("notes", headerFields: ["Cache-Control": "max-age=10"])
        let stored = try await teapot.get("notes", headerFields: ["Cache-Control": "only-if-cached"])
        return [fresh, recent, stored]
    }

    static func signOut(_ cache: CachingTransport) {
        cache.removeAll()
    }

    static func later(_ baseURL: URL, _ server: some Transport) async throws -> [Teapot.Response] {
        let now = Moment()
        let cache = CachingTransport(wrapping: server) { now.date }
        let teapot = Teapot(baseURL: baseURL, transport: cache)
        let first = try await teapot.get("notes")
        now.advance(by: 3_600)
        let second = try await teapot.get("notes")
        return [first, second]
    }
}

/// A time that a test moves on.
final class Moment: Sendable {
    private let time = Locked(Date(timeIntervalSince1970: 0))
    var date: Date { time.withLock { $0 } }
    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
