import Teapot

struct Note: Sendable, Equatable {
    let id: Int
    let title: String

    init?(_ json: [String: Any]) {
        guard let id = json["id"] as? Int, let title = json["title"] as? String else { return nil }
        self.id = id
        self.title = title
    }
}

final class NotesClient: Sendable {
    let teapot: Teapot

    init(teapot: Teapot) {
        self.teapot = teapot
    }

    func notes(completion: @escaping @Sendable (Result<[Note], TeapotError>) -> Void) {
        teapot.get("notes") { result in
            switch result {
            case .success(let json, _):
                completion(.success((json?.array ?? []).compactMap(Note.init)))
            case .failure(_, _, let error):
                completion(.failure(error))
            }
        }
    }
}

/// What the README shows beside the client. `SamplesRunTests` runs it.
enum ReadmeSamples {
    static func client(baseURL: URL) -> NotesClient {
        let client = NotesClient(teapot: Teapot(baseURL: baseURL))
        return client
    }

    static func logging(_ teapot: Teapot) {
        teapot.logger = Logger(level: .incomingAndOutgoingData)
        teapot.secretPolicy = SecretPolicy.standard.adding(["X-Tenant"])
    }

    static func strings() {
        Teapot.localizationBundle = .main
    }
}
