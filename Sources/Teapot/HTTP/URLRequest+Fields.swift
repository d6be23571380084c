import TeapotFoundation

extension URLRequest {
    /// Sets or removes a header field, of any capitalization. All fields are set at once: to set one, FoundationNetworking searches
    /// them all and changes capitals, which takes as long as a third of a call.
    package mutating func setField(_ name: String, _ value: String?) {
        // A secret that is removed must be gone on every platform, whatever setting all fields does to others.
        guard let value else {
            if self.value(forHTTPHeaderField: name) != nil { setValue(nil, forHTTPHeaderField: name) }
            return
        }
        var fields = allHTTPHeaderFields ?? [:]
        fields[field: name] = value
        allHTTPHeaderFields = fields
    }
}

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
