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
