import Teapot

/// A header field, cookie or query item.
struct HARField: Decodable, Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    fileprivate func precedes(_ other: HARField) -> Bool {
        let (lowered, otherLowered) = (name.lowercased(), other.name.lowercased())
        if lowered != otherLowered { return lowered < otherLowered }
        return name == other.name ? value < other.value : name < other.name
    }

    init(from decoder: any Decoder) throws {
        let field = try decoder.container(keyedBy: HARKey.self)
        name = try field.decode(String.self, forKey: .name)
        value = field.lenient(.value) ?? ""
    }
}

extension [HARField] {
    var members: [[String: Any]] { map { ["name": $0.name, "value": $0.value] } }

    /// The fields, sorted by name without regard to case, name and value.
    var sortedFields: [HARField] { Sorting.places(count) { self[$0].precedes(self[$1]) }.map { self[$0] } }

    /// The values of a header field, joined with commas (RFC 9110, section 5.3); `nil` if there is none.
    func value(_ name: String) -> String? {
        var value: String?
        for field in self where field.name.isField(name) {
            value = value.map { $0 + ", " + field.value } ?? field.value
        }
        return value
    }

    var mediaType: String { value("Content-Type") ?? "" }

    /// The cookies in `Cookie` and `Set-Cookie`, as far as they can be parsed.
    var cookies: [HARField] {
        var cookies: [HARField] = []
        for field in self where CookieText.isCookie(field.name) {
            cookies += CookieText.pairs(in: field.value, of: field.name)
        }
        return cookies
    }
}
