import Foundation

/// Foundation's own methods are generic, and take up to 3 KB of code each time.
extension Data {
    @inline(never) package static func areSame(_ one: Data?, _ other: Data?) -> Bool { one == other }

    /// The bytes as text in UTF-8, with invalid ones replaced.
    @inline(never) package var text: String { String(decoding: self, as: UTF8.self) }
}
