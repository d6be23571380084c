// swift-format-ignore-file: NeverForceUnwrap
import Teapot
import TeapotCurl

struct Note: Codable, Sendable {
    let id: Int
    let title: String
}

let teapot = Teapot(baseURL: URL(string: "http://127.0.0.1:8080")!, transport: PortableTransport())
let user = "../admin"
do {
    // The user is one segment of the path, whatever the text.
    let query: Teapot.QueryItems = ["tag": ["green", "hot"], "page": 2]
    let notes = try await teapot.get("users/\(user)/notes", as: [Note].self, query: query)
    print(notes.map(\.title))
} catch {
    // A call that is cancelled throws one of type `cancelled`.
    print(error.code == .timedOut ? "The server takes too long." : error.description)
}
