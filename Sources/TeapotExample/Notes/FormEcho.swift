/// A form, as httpbin echoes it.
struct FormEcho: Decodable, Sendable {
    /// The fields by name.
    let form: [String: String]
    /// The texts of the files, by the names of their fields.
    let files: [String: String]
}
