/// A note of the service.
struct Note: Codable, Equatable, Sendable {
    var id: Int
    var title: String
    var isDone = false

    enum CodingKeys: String, CodingKey {
        case id, title
        case isDone = "done"
    }
}
