/// Why a request could not be read.
enum RequestError: Error, CustomStringConvertible {
    case closed
    case malformed(String)
    case headTooLarge
    case bodyTooLarge

    /// The status to answer with; `nil` if the client is gone.
    var status: Int? {
        switch self {
        case .closed: nil
        case .malformed: 400
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        }
    }

    var description: String {
        switch self {
        case .closed: "The connection was closed within a request."
        case .malformed(let what): "The request is malformed: \(what)."
        case .headTooLarge: "The request head is over \(RequestReader.headLimit) bytes."
        case .bodyTooLarge: "The request body is over \(RequestReader.bodyLimit) bytes."
        }
    }
}
