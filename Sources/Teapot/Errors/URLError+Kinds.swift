import TeapotFoundation

extension URLError {
    @inline(never) init(_ code: Code, _ reason: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: reason])
    }

    static var deadlinePassed: URLError { timedOut("the call's deadline has passed") }
    static func timedOut(_ reason: String) -> URLError { URLError(.timedOut, reason) }
}

extension URLError.Code {
    var isOfServerCertificate: Bool {
        self == .serverCertificateUntrusted || self == .serverCertificateHasBadDate
            || self == .serverCertificateNotYetValid || self == .serverCertificateHasUnknownRoot
    }
}
