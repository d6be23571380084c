/// The name of a header field: all names in Teapot are compared by this type, without regard to case (RFC 9110, section 5.1).
package struct FieldName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let lowercased: String

    package init(_ name: String) { lowercased = name.lowercased() }

    package init(stringLiteral name: String) { self.init(name) }
}

extension [String: String] {
    /// The value of a header field. Setting it replaces the field of the same name, however that is spelled.
    package subscript(field name: String) -> String? {
        get { self[name] ?? first { FieldName($0.key) == FieldName(name) }?.value }
        set {
            for other in keys where FieldName(other) == FieldName(name) { self[other] = nil }
            self[name] = newValue
        }
    }
}
