import Teapot

/// A header field, cookie or query item.
struct HARField: Decodable, Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    @inline(never) fileprivate static func precedes(_ one: HARField, _ other: HARField) -> Bool {
        let (name, otherName) = (one.name.lowercased(), other.name.lowercased())
        if name != otherName { return name < otherName }
        return one.name == other.name ? one.value < other.value : one.name < other.name
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
    var sortedFields: [HARField] { sorted(by: Element.precedes) }

    /// The values of a header field, joined with commas (RFC 9110, section 5.3); `nil` if there is none.
    func value(_ name: String) -> String? {
        let name = FieldName(name)
        var value: String?
        for field in self where FieldName(field.name) == name {
            value = value.map { $0 + ", " + field.value } ?? field.value
        }
        return value
    }

    /// The cookies in `Cookie` and `Set-Cookie`, as far as they can be parsed.
    var cookies: [HARField] {
        filter { CookieText.isCookie($0.name) }.flatMap { CookieText.pairs(in: $0.value, of: $0.name) }
    }
}
