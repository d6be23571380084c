import Teapot

/// A header field, cookie or query item.
struct HARField: Decodable, Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    private enum CodingKeys: CodingKey { case name, value }

    init(from decoder: any Decoder) throws {
        let field = try decoder.container(keyedBy: CodingKeys.self)
        name = try field.decode(String.self, forKey: .name)
        value = field.lenient(.value) ?? ""
    }
}

extension [HARField] {
    /// The members to write.
    var members: [[String: Any]] { map { ["name": $0.name, "value": $0.value] } }

    /// The fields, sorted by name without regard to case, name and value.
    var sortedFields: [HARField] {
        sorted { ($0.name.lowercased(), $0.name, $0.value) < ($1.name.lowercased(), $1.name, $1.value) }
    }

    /// The values of a header field, joined with commas (RFC 9110, section 5.3); `nil` if there is none.
    func value(_ name: String) -> String? {
        let name = FieldName(name)
        let values = filter { FieldName($0.name) == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The cookies in `Cookie` and `Set-Cookie`, as far as they can be parsed.
    var cookies: [HARField] {
        filter { CookieText.isCookie($0.name) }.flatMap { CookieText.pairs(in: $0.value, of: $0.name) }
    }
}
