import Teapot

extension TeapotError {
    /// An error for a successful response that the client cannot interpret.
    static var unexpectedAnswer: TeapotError {
        TeapotError(type: .decodingFailed, description: "The notes service gave an answer that is not understood.")
    }
}
