import Foundation

/// Foundation's own methods are generic, and take up to 3 KB of code each time.
extension Data {
    /// Whether both are the same bytes.
    @inline(never) package static func areSame(_ one: Data?, _ other: Data?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        guard one.count == other.count else { return false }
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
                return memcmp(start, otherStart, one.count) == 0
            }
        }
    }

    /// The bytes as text in UTF-8, with invalid ones replaced.
    @inline(never) package var text: String { String(decoding: self, as: UTF8.self) }
}
