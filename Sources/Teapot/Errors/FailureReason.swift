import Foundation

/// A cause in words, for errors that have no underlying error.
package struct FailureReason: LocalizedError, CustomStringConvertible {
    package let description: String
    package var errorDescription: String? { description }

    package init(_ description: String) { self.description = description }
}

/// An error of a body's sequence, which is not an error of the exchange, whatever the type of its cause.
struct BodyError: LocalizedError {
    let cause: any Error
    var errorDescription: String? { cause.localizedDescription }

    init(cause: any Error) { self.cause = cause }
    init(_ reason: String) { cause = FailureReason(reason) }
}

extension Error {
    /// Whether it says that work was cancelled, whoever threw it: an error with this cause is `cancelled`.
    var isCancellation: Bool {
        // Foundation on Linux makes no `URLError` of an `NSError`.
        let error = self as NSError
        return self is CancellationError || (self as? TeapotError)?.type == .cancelled
            || error.domain == NSURLErrorDomain && error.code == URLError.cancelled.rawValue
    }
}
