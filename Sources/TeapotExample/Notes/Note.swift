/// A note, as the service keeps it.
struct Note: Equatable, Sendable {
    var id: Int
    var title: String
    var isDone = false
}

extension Note {
    /// Reads a note from a JSON object; `nil` when it is not one.
    init?(_ dictionary: [String: Any]) {
        guard let id = dictionary["id"] as? Int, let title = dictionary["title"] as? String else { return nil }
        self.init(id: id, title: title, isDone: dictionary["done"] as? Bool ?? false)
    }

    /// The note as a JSON object.
    var dictionary: [String: Any] {
        ["id": id, "title": title, "done": isDone]
    }
}
