import Foundation

extension String {
    /// A recording in which all placeholders of secrets are the same: `redacted-1` is `<redacted>`.
    package var unnumbered: String { replacing(/redacted-[0-9]+/, with: "<redacted>") }
}
