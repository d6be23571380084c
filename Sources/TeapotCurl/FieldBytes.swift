#if os(Linux)
    import Teapot

    /// The bytes of header fields as text, and back. They need not be UTF-8 (RFC 9110, section 5.5).
    ///
    /// In a value that is sent back, such as a cookie, U+10F080 to U+10F0FF, which are for private use, stand for the bytes that are not ASCII.
    /// In UTF-8, they are `F4 8F 82 80` to `F4 8F 83 BF`.
    enum FieldBytes {
        /// The text of a value: UTF-8, or else ISO 8859-1, in which every sequence of bytes is valid. A value that is sent back gets those
        /// characters if it is not UTF-8, since ISO 8859-1 would be sent as UTF-8, or if it has one of them already:
        /// ``bytes(ofReversible:)`` makes the same bytes. Other UTF-8 stays as it is.
        static func text(of value: UnsafeBufferPointer<UInt8>, isReturned: Bool) -> String {
            var text = String(decoding: value, as: UTF8.self)
            let isUTF8 = text.withUTF8 { $0.count == value.count && $0.elementsEqual(value) }
            if isUTF8, !isReturned || !value.indices.contains(where: { byte(in: value, at: $0) != nil }) { return text }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(value.count)
            for byte in value {
                if byte < 0x80 {
                    bytes.append(byte)
                } else {
                    if isReturned {
                        bytes.append(0xF4)
                        bytes.append(0x8F)
                    }
                    bytes.append((isReturned ? 0x80 : 0xC0) | byte >> 6)
                    bytes.append(0x80 | byte & 0x3F)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The bytes of a field that is sent, if it has a reversible value; `nil` if they are those of UTF-8.
        static func bytes(ofReversible text: String) -> [UInt8]? {
            var text = text
            return text.withUTF8 { text in
                guard text.contains(0xF4) else { return nil }
                var (bytes, position) = ([UInt8](), 0)
                while position < text.count {
                    let byte = byte(in: text, at: position)
                    bytes.append(byte ?? text[position])
                    position += byte == nil ? 1 : 4
                }
                return bytes
            }
        }

        /// The byte for which a character of a text in UTF-8 stands.
        private static func byte(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt8? {
            guard position + 3 < text.count, text[position] == 0xF4, text[position + 1] == 0x8F,
                text[position + 2] & 0xFE == 0x82
            else { return nil }
            return text[position + 2] << 6 | text[position + 3] & 0x3F
        }
    }
#endif
