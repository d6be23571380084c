import Teapot

struct Note: Codable, Sendable {
    let id: Int
    let title: String
}

//: README 4

/// The README's other samples, and those of the articles "Logging" and "Localization". `SamplesRunReadmeTests` runs them.
enum ReadmeSamples {
    static func first(baseURL: URL) async throws -> [String] {
        //: README 1
        return notes.map(\.title)
    }

    static func client(baseURL: URL, login: Teapot, show: (String) -> Void) async {
        //: README 5
    }

    static func transfers(
        _ teapot: Teapot,
        to archive: URL,
        picture: URL,
        show: @escaping @Sendable (String) -> Void
    ) async throws {
        //: README 6
    }

    static func logging(_ teapot: Teapot) {
        //: Logging 1
    }

    static func strings() {
        //: Localization 1
    }
}
