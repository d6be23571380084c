import Teapot

/// The samples of problem details in the article "Async calls and Codable", and of the article "Errors".
/// `SamplesRunProblemsTests` runs them.
enum ProblemSamples {
    static func show(_ error: TeapotError, show: (String) -> Void) {
        if let problem = error.problem {
            show("\(problem.title ?? problem.type): \(problem.detail ?? "no details")")
        }
    }

    struct User: Decodable, Equatable {
        var name: String
    }

    static func user(_ teapot: Teapot, etag: String, cached: User) async throws -> User {
        var request = Teapot.Request(path: "users/1", headerFields: ["If-None-Match": etag])
        request.acceptedStatuses = [304]
        let response = try await teapot.send(request)
        return response.status == 304 ? cached : try response.decode(User.self)
    }
}
