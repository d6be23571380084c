/// The query of a request, as httpbin echoes it.
struct QueryEcho: Decodable, Sendable {
    /// The values by name. httpbin makes a list for a repeated name, and a string for any other.
    let arguments: [String: [String]]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        arguments = try container.decode([String: OneOrMore].self, forKey: .arguments).mapValues(\.values)
    }

    private enum CodingKeys: String, CodingKey {
        case arguments = "args"
    }

    private struct OneOrMore: Decodable {
        let values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }
    }
}
