import Teapot

extension TeapotError {
    /// The description, which is for people, and the reason, which is for developers.
    var explanation: String {
        failureReason.map { "\(description) (\($0))" } ?? description
    }
}
