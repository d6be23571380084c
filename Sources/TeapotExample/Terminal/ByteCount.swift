/// Numbers of bytes as readable text.
enum ByteCount {
    static func text(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) bytes"
        case ..<1_000_000: "\(tenths(bytes, of: 1_000)) KB"
        default: "\(tenths(bytes, of: 1_000_000)) MB"
        }
    }

    private static func tenths(_ bytes: Int, of unit: Int) -> String {
        let tenths = bytes / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
