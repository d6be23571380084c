import Teapot

/// The samples of the article "Downloads, uploads and streams".
enum TransferSamples {
    struct Change: Decodable, Sendable {
        let id: Int
    }

    static func watch(_ teapot: Teapot, apply: (Change) -> Void) async throws {
        //: Transfers 7
    }

    static func download(_ teapot: Teapot, to file: URL, show: @escaping @Sendable (String) -> Void) async throws {
        //: Transfers 1
    }

    static func resume(_ teapot: Teapot, to file: URL) async throws {
        //: Transfers 2
    }

    static func upload(_ teapot: Teapot, file: URL, show: @escaping @Sendable (String) -> Void) async throws {
        //: Transfers 3
    }

    static func copy(_ teapot: Teapot, to archive: Teapot) async throws {
        //: Transfers 4
    }

    static func form(_ teapot: Teapot, picture: URL) async throws {
        //: Transfers 5
    }

    static func deadline(_ teapot: Teapot) async throws -> Teapot.Response {
        //: Transfers 8
        return response
    }

    static func lines(_ teapot: Teapot, show: (String) -> Void) async throws {
        //: Transfers 6
    }
}
