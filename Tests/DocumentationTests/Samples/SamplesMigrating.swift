import Teapot

//: MigratingFromTheOriginal 1

//: MigratingFromTheOriginal 3

enum MigratingSamples {
    typealias Done = @Sendable (NetworkResult) -> Void

    static func form(_ teapot: Teapot, done: @escaping Done) {
        //: MigratingFromTheOriginal 4
    }

    static func sharingCookies(baseURL: URL) -> Teapot {
        //: MigratingFromTheOriginal 5
        return teapot
    }
}
