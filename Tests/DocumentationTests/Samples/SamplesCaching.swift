import Teapot
import TeapotCache

/// The samples of the article "Caching".
enum CachingSamples {
    static func overview(_ baseURL: URL, show: (String) -> Void) async throws {
        //: TeapotCache 1
    }

    static func oneUser() -> CachingTransport {
        //: TeapotCache 2
        return cache
    }

    static func signOut(_ cache: CachingTransport) {
        //: TeapotCache 3
    }

    static func directives(_ teapot: Teapot) async throws -> [Teapot.Response] {
        //: TeapotCache 4
        return [fresh, recent, stored]
    }

    static func later(_ baseURL: URL, _ server: some Transport) async throws -> [Teapot.Response] {
        //: TeapotCache 5
        return [first, second]
    }
}

/// A time that a test moves on.
final class Moment: Sendable {
    private let time = Locked(Date(timeIntervalSince1970: 0))
    var date: Date { time.withLock { $0 } }
    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
