import Teapot

/// The samples of the article "Closures and scripts". `SamplesRunTests` runs some of them.
enum ClosureSamples {
    static func getting(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        //: Closures 1
    }

    /// Ends the process, so it is compiled only.
    static func commandLineTool(_ teapot: Teapot) {
        //: Closures 2
    }

    @MainActor
    final class Label {
        var text: String?
    }

    static func mainActor(_ teapot: Teapot, _ label: Label) {
        //: Closures 3
    }

    static func ownQueue(baseURL: URL) -> Teapot {
        //: Closures 4
        return teapot
    }

    static func bodies(_ teapot: Teapot, done: @escaping @Sendable (NetworkResult) -> Void) {
        //: Closures 5

        let drawing = Data([0x3C, 0x73, 0x76, 0x67, 0x2F, 0x3E])
        //: Closures 6

        teapot.delete("notes/1", completion: done)
    }

    static func decoding(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        //: Closures 7
    }

    static func task(_ teapot: Teapot, show: @escaping @Sendable (NetworkResult) -> Void) {
        //: Closures 8
    }

    static func blocking(_ teapot: Teapot) throws -> Note {
        //: Closures 9
        return note
    }
}

/// The sample beside the class ``Teapot``.
enum TypeSamples {
    struct User: Decodable, Sendable {}

    static func get(baseURL: URL, show: @escaping @Sendable (Any?, Any?) -> Void) async throws -> User {
        let teapot = Teapot(baseURL: baseURL)
        let user = try await teapot.get("users/1", as: User.self)
        teapot.get("users/1") { result in
            switch result {
            case .success(let json, let response): show(json?.dictionary, response.status)
            case .failure(_, _, let error): show(error, nil)
            }
        }
        return user
    }
}
