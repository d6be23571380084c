import Teapot

//: MigratingFromTheOriginal 1

enum MigratingSamples {
    typealias Done = @Sendable (NetworkResult) -> Void

    static func form(_ teapot: Teapot, done: @escaping Done) {
        //: MigratingFromTheOriginal 3
    }

    static func sharingCookies(baseURL: URL) -> Teapot {
        //: MigratingFromTheOriginal 4
        return teapot
    }
}
