import Teapot

extension TeapotError {
    /// The service answered with a success, but not with what the client understands.
    static var unexpectedAnswer: TeapotError {
        TeapotError(type: .decodingFailed, description: "The notes service gave an answer that is not understood.")
    }
}
