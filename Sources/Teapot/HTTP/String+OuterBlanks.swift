extension String {
    /// The text without leading and trailing spaces and tabs, which do not belong to a field value (RFC 9110, section 5.5).
    @inline(never) package var withoutOuterBlanks: String {
        var text = self
        return text.withUTF8 { bytes in
            var (start, end) = (0, bytes.count)
            while start < end, FieldScanner.blanks.contains(bytes[start]) { start += 1 }
            while start < end, FieldScanner.blanks.contains(bytes[end - 1]) { end -= 1 }
            if end - start == bytes.count { return self }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
    }
}

extension Substring { package var withoutOuterBlanks: String { String(self).withoutOuterBlanks } }
