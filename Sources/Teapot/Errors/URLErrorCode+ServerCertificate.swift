import TeapotFoundation

extension URLError.Code {
    /// Whether the server's certificate was refused.
    var isOfServerCertificate: Bool {
        [
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot,
        ].contains(self)
    }
}
