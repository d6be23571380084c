import Teapot

/// The samples of the article "Teapot on Linux". They end or hold up a process, so they are compiled only.
enum TeapotOnLinuxSamples {
    static func commandLineTool(_ teapot: Teapot) {
        //: TeapotOnLinux 1
    }

    static func ownQueue(baseURL: URL) -> Teapot {
        //: GettingStarted 2
        return teapot
    }
}

/// The sample beside the class ``Teapot``.
enum TypeSamples {
    struct User: Decodable, Sendable {}

    static func get(baseURL: URL, show: @escaping @Sendable (Any?, Any?) -> Void) async throws -> User {
        //: GettingStarted 1
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
