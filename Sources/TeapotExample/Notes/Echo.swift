/// A request, as httpbin echoes it.
struct Echo<Value: Decodable & Sendable>: Decodable, Sendable {
    let method: String
    /// The body, if it was JSON.
    let json: Value?
}
