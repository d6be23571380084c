extension [String: String] {
    package var sortedFields: [(name: String, value: String)] {
        isEmpty ? [] : sortedByKey.map { (name: $0.key, value: $0.value) }
    }

    /// The value of a header field. Setting it replaces the field of the same name, however that is spelled.
    subscript(field name: String) -> String? {
        get { self[name] ?? first { FieldName.isSame($0.key, name) }?.value }
        set {
            for other in keys where FieldName.isSame(other, name) { self[other] = nil }
            self[name] = newValue
        }
    }
}
