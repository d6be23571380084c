import Foundation

/// A cause in words, for errors that have no underlying error.
package struct FailureReason: LocalizedError, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    package var errorDescription: String? { description }
}

extension Error {
    /// The cause in words for developers.
    package var reason: String {
        (self as? DecodingError)?.reason ?? (self as? EncodingError)?.reason ?? localizedDescription
    }
}
