import TeapotFoundation

extension URLError.Code {
    var isOfServerCertificate: Bool {
        [
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot,
        ].contains(self)
    }
}
