import Teapot

/// The samples of the articles "Many requests at once", "Sharing" and "Ctrl-C and shutting down". `SamplesRunTests` runs
/// some of them.
enum ProductionSamples {
    static func all(_ ids: [Int], _ teapot: Teapot) async throws -> [Note] {
        //: ManyRequests 1
        return notes
    }

    @MainActor
    static func allOnTheMainActor(_ ids: [Int], _ teapot: Teapot) async throws -> [Note] {
        //: ManyRequests 1
        return notes
    }

    static func few(_ ids: [Int], _ teapot: Teapot, store: (Note) throws -> Void) async throws {
        //: ManyRequests 2
    }

    static func interrupted(_ teapot: Teapot, file: URL, show: (String) -> Void) async {
        //: ShuttingDown 1
    }

    static func finish(_ jobs: [Task<Void, Never>]) async {
        //: ShuttingDown 2
    }

    struct Users {
        let baseURL: URL
        let transport: any Transport
        let renew: @Sendable (String) async throws -> Credential

        //: Sharing 2
    }
}
