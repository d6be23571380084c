import Teapot

/// The samples of the article "Getting started". `SamplesRunTests` runs them.
enum GettingStartedSamples {
    static func getting(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        //: GettingStarted 4
    }

    static func bodies(_ teapot: Teapot, done: @escaping @Sendable (NetworkResult) -> Void) {
        //: GettingStarted 7

        //: GettingStarted 8

        let drawing = Data([0x3C, 0x73, 0x76, 0x67, 0x2F, 0x3E])
        //: GettingStarted 9

        teapot.delete("notes/1", completion: done)
    }

    static func errors(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        teapot.get("notes/1") { result in
            guard case .failure(let json, _, let error) = result else { return }
            //: GettingStarted 11
        }
    }

    static func task(_ teapot: Teapot, show: @escaping @Sendable (NetworkResult) -> Void) {
        //: GettingStarted 12
    }

    static func basicAuthentication(_ teapot: Teapot, done: @escaping @Sendable (NetworkResult) -> Void) {
        //: GettingStarted 13
    }

    static func image(_ teapot: Teapot, show: @escaping @Sendable (TeapotImage) -> Void) {
        //: GettingStarted 14
    }

    static func avatar(_ teapot: Teapot) async throws -> TeapotImage {
        //: GettingStarted 15
        return avatar
    }

    static func write(_ text: Data, as name: String, with teapot: Teapot) async throws {
        //: GettingStarted 5
    }

    static func upload(_ teapot: Teapot, image: Data, done: @escaping @Sendable (NetworkResult) -> Void) {
        //: GettingStarted 10
    }

    static func request(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        //: GettingStarted 16
    }

    static func configured(baseURL: URL) -> Teapot {
        //: GettingStarted 17
        return teapot
    }

    static func logger() -> Logger {
        //: Logging 2
        return logger
    }
}

/// Answers every request with status 204.
//: GettingStarted 18
