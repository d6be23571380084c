/// What the service says when it refuses something.
struct ServiceError: Decodable, Sendable {
    let message: String
    /// The media types that it would have had.
    let accept: [String]
}
