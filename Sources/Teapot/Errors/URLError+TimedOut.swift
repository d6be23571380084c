import TeapotFoundation

extension URLError {
    static var deadlinePassed: URLError { timedOut("the call's deadline has passed") }

    static func timedOut(_ reason: String) -> URLError {
        URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
