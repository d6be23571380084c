/// What httpbin answers to a form.
struct FormEcho: Decodable, Sendable {
    /// The fields by name.
    let form: [String: String]
    /// The texts of the files, by the names of their fields.
    let files: [String: String]
}
