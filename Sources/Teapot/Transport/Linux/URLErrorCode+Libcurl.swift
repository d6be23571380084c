import TeapotFoundation

extension URLError.Code {
    /// The code for a failed connection, secure or not; `nil` if the text is about something else.
    ///
    /// FoundationNetworking uses the code `unknown` for most of these failures, with libcurl's text, which is always English.
    ///
    /// - Parameter text: The text of libcurl, with OpenSSL: `SSL certificate problem: certificate has expired`
    init?(libcurlText text: String) {
        let isOfCertificate = text.hasPrefix("SSL") && text.contains("certificate")
        if isOfCertificate, text.contains(/certificate has expired( \(\d+\))?$/) {
            self = .serverCertificateHasBadDate
        } else if isOfCertificate, text.contains(/certificate is not yet valid( \(\d+\))?$/) {
            self = .serverCertificateNotYetValid
        } else if isOfCertificate {
            self = .serverCertificateUntrusted
        } else if ["SSL", "OpenSSL", "TLS connect error", "error setting cert", "error adding trust"].contains(
            where: text.hasPrefix
        ) {
            self = .secureConnectionFailed
        } else if ["Recv failure", "Send failure", "Connection died"].contains(where: text.hasPrefix) {
            self = .networkConnectionLost
        } else if text.hasPrefix("Failed to connect") {
            self = .cannotConnectToHost
        } else {
            return nil
        }
    }

    /// Whether the server's certificate was refused.
    var isOfServerCertificate: Bool {
        [
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot,
        ].contains(self)
    }
}
