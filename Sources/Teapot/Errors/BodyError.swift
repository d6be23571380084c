import Foundation

/// An error of a body's sequence, which is not an error of the exchange, whatever the type of its cause.
struct BodyError: LocalizedError {
    let cause: any Error
    var errorDescription: String? { cause.localizedDescription }

    init(cause: any Error) { self.cause = cause }

    init(_ reason: String) { cause = FailureReason(reason) }
}
