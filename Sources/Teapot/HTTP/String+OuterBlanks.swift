extension String {
    /// The text without leading and trailing spaces and tabs, which do not belong to a field value (RFC 9110, section 5.5).
    var withoutOuterBlanks: String {
        let text = self[...].withoutOuterBlanks
        return text.utf8.count == utf8.count ? self : String(text)
    }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs.
    package var withoutOuterBlanks: Substring {
        let isVisible = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: isVisible), let last = utf8.lastIndex(where: isVisible) else {
            return ""
        }
        return Substring(utf8[first...last])
    }
}
