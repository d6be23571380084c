/// The ways in which a call can be made.
enum FaultShape: CaseIterable, Sendable {
    case closure, async, download, image
    /// A `PUT` of a file, and a `POST` from memory.
    case upload, post
}
