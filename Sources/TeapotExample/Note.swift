/// A note of the service.
struct Note: Codable, Equatable, Sendable {
    var id: Int
    var title: String
}

/// The body of the service's errors.
struct ServiceError: Decodable, Sendable {
    let message: String
    /// The media types that the service offers.
    let accept: [String]
}

/// A request with a JSON body, as httpbin echoes it.
struct Echo<Value: Decodable & Sendable>: Decodable, Sendable {
    let method: String
    let json: Value
}

/// A form, as httpbin echoes it.
struct FormEcho: Decodable, Sendable {
    /// The fields by name.
    let form: [String: String]
    /// The texts of the files, by the names of their fields.
    let files: [String: String]
}
