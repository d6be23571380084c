/// The name of a header field: all names in Teapot are compared by this type, without regard to case (RFC 9110, section 5.1).
package struct FieldName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let lowercased: String

    package init(_ name: String) { lowercased = name.lowercased() }
    package init(stringLiteral name: String) { self.init(name) }

    /// Whether names are the same, without making one of either.
    @inline(never) package static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ other: String) -> Bool {
        guard name.count == other.utf8.count else { return false }
        var other = other
        return other.withUTF8 { other in
            for index in name.indices where lowercased(name[index]) != lowercased(other[index]) { return false }
            return true
        }
    }

    @inline(never) static func isSame(_ name: String, _ other: String) -> Bool {
        guard name.utf8.count == other.utf8.count else { return false }
        var name = name
        return name.withUTF8 { isSame($0, other) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
