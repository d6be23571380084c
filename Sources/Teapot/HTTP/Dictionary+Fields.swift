extension [String: String] {
    package var sortedFields: [(name: String, value: String)] {
        isEmpty ? [] : sortedByKey.map { (name: $0.key, value: $0.value) }
    }

    /// The value of a header field. Setting it replaces the field of the same name, however that is spelled.
    subscript(field name: String) -> String? {
        get {
            if let value = self[name] { return value }
            for (other, value) in self where FieldName.isSame(other, name) { return value }
            return nil
        }
        set {
            for other in keys where FieldName.isSame(other, name) { self[other] = nil }
            self[name] = newValue
        }
    }
}
