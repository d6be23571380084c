/// The body of the service's errors.
struct ServiceError: Decodable, Sendable {
    let message: String
    /// The media types that the service offers.
    let accept: [String]
}
