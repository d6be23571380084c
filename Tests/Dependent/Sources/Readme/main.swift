// swift-format-ignore-file: NeverForceUnwrap
import Teapot
import TeapotCurl

struct Note: Codable, Sendable {
    let id: Int
    let title: String
}

let teapot = Teapot(baseURL: URL(string: "http://127.0.0.1:8080")!, transport: CurlTransport())
let notes = try await teapot.get("notes", as: [Note].self, query: ["tag": "tea", "page": 2])
print(notes.map(\.title))
