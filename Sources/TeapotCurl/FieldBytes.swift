#if os(Linux)
    import Teapot

    /// The bytes of header fields as text, and back. They need not be UTF-8 (RFC 9110, section 5.5).
    enum FieldBytes {
        /// U+10F080 to U+10F0FF, which are for private use, stand for the bytes that are not ASCII.
        private static let first: UInt32 = 0x10F000

        /// The text of a header line: UTF-8, or else ISO 8859-1, in which every sequence of bytes is valid.
        static func text(of line: UnsafeRawBufferPointer) -> (text: String, isUTF8: Bool) {
            if let text = String(validating: line, as: UTF8.self) { return (text, true) }
            return (String(String.UnicodeScalarView(line.map(Unicode.Scalar.init))), false)
        }

        /// The text of a value that is sent back, such as a cookie: ``bytes(ofReversible:)`` makes the same bytes from it. A value in UTF-8
        /// stays as it is. ISO 8859-1 would be sent as UTF-8.
        static func reversible(_ value: String, isUTF8: Bool) -> String {
            guard !isUTF8 || value.unicodeScalars.contains(where: { byte(of: $0) != nil }) else { return value }
            let bytes = isUTF8 ? Array(value.utf8) : value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            let scalars = bytes.compactMap { $0 < 0x80 ? Unicode.Scalar($0) : Unicode.Scalar(first + UInt32($0)) }
            return String(String.UnicodeScalarView(scalars))
        }

        /// The bytes of a field that is sent, if it has a reversible value; `nil` if they are those of UTF-8.
        static func bytes(ofReversible text: String) -> [UInt8]? {
            // The first byte of those characters in UTF-8.
            var text = text
            guard text.withUTF8({ $0.contains(0xF4) }) else { return nil }
            return text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8) }
        }

        private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
            (first + 0x80...first + 0xFF).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
        }
    }
#endif
