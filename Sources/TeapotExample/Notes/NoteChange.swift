/// What is to be changed about a note; what is `nil` stays as it is.
struct NoteChange: Codable, Sendable {
    var title: String?
    var isDone: Bool?

    enum CodingKeys: String, CodingKey {
        case title
        case isDone = "done"
    }
}
