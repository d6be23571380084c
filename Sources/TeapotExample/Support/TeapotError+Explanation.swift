import Teapot

extension TeapotError {
    /// The description, for users, and the reason, for developers.
    var explanation: String {
        failureReason.map { "\(description) (\($0))" } ?? description
    }
}
