import Foundation

/// The form decoding of a query, by the WHATWG's URL standard, written apart from the server's own.
enum FormText {
    static func pairs(_ query: String) -> [[[UInt8]]] {
        query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            return [decoded(pair[..<end]), decoded(pair[end...].dropFirst())]
        }
    }

    private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return bytes
    }
}
