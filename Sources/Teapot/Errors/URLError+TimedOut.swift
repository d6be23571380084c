import TeapotFoundation

extension URLError {
    static func timedOut(_ reason: String) -> URLError {
        URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
