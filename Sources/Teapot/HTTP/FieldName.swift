/// The name of a header field: all names in Teapot are compared by this type, without regard to case (RFC 9110, section 5.1).
package struct FieldName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let lowercased: String

    package init(_ name: String) { lowercased = name.lowercased() }

    package init(stringLiteral name: String) { self.init(name) }

    /// Whether names are the same, without making one of either.
    package static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ other: String) -> Bool {
        areSame(name, other.utf8)
    }

    static func isSame(_ name: String, _ other: String) -> Bool { areSame(name.utf8, other.utf8) }

    private static func areSame(_ name: some Collection<UInt8>, _ other: String.UTF8View) -> Bool {
        name.count == other.count && zip(name, other).allSatisfy { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}

extension [String: String] {
    /// The fields, sorted by name.
    package var sortedFields: [(name: String, value: String)] {
        map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    }

    /// The value of a header field. Setting it replaces the field of the same name, however that is spelled.
    package subscript(field name: String) -> String? {
        get {
            if let value = self[name] { return value }
            return first { FieldName.isSame($0.key, name) }?.value
        }
        set {
            for other in keys where FieldName.isSame(other, name) { self[other] = nil }
            self[name] = newValue
        }
    }
}

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
