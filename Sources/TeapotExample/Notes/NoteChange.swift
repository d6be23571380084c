/// A change to a note; `nil` leaves a property unchanged.
struct NoteChange: Codable, Sendable {
    var title: String?
    var isDone: Bool?

    enum CodingKeys: String, CodingKey {
        case title
        case isDone = "done"
    }
}
