#if canImport(FoundationNetworking)
    import TeapotFoundation

    extension URLError.Code {
        /// The code for an error of a `URLSession` task, the same as over `CurlTransport` for the same event.
        init(_ code: URLError.Code, text: String, hasResponse: Bool) {
            switch code {
            // FoundationNetworking has no code for a response that was cut off, nor for TLS.
            case .unknown: self = hasResponse ? .networkConnectionLost : URLError.Code(libcurlText: text) ?? code
            // The connection was closed without a byte.
            case .badServerResponse: self = .networkConnectionLost
            // The scheme is supported: the response begins like one of HTTP/0.9.
            case .unsupportedURL: self = .badServerResponse
            default: self = code
            }
        }

        /// The code for a failed connection, secure or not; `nil` if the text is about something else.
        ///
        /// FoundationNetworking uses the code `unknown` for most of these failures, with libcurl's text, which is always English.
        init?(libcurlText text: String) {
            let isOfCertificate = text.hasPrefix("SSL") && text.contains("certificate")
            if isOfCertificate, text.contains(/certificate has expired( \(\d+\))?$/) {
                self = .serverCertificateHasBadDate
            } else if isOfCertificate, text.contains(/certificate is not yet valid( or .*)?( \(\d+\))?$/) {
                self = .serverCertificateNotYetValid
            } else if isOfCertificate {
                self = .serverCertificateUntrusted
            } else if ["SSL", "OpenSSL", "TLS connect error", "error setting cert", "error adding trust"].contains(
                where: text.hasPrefix
            ) {
                self = .secureConnectionFailed
            } else if lostConnections.contains(where: text.hasPrefix) {
                self = .networkConnectionLost
            } else if text.hasPrefix("Failed to connect") || text.hasSuffix("send: no filter connected") {
                // The latter: libcurl 7.88 gave a request to an HTTP/2 connection whose tunnel was not made yet, and sent nothing.
                self = .cannotConnectToHost
            } else if text.hasPrefix("Could not resolve proxy") {
                self = .cannotFindHost
            } else if text.hasPrefix("Too many response headers") {
                self = .dataLengthExceedsMaximum
            } else {
                return nil
            }
        }
    }

    /// How libcurl's texts begin if a connection, or a stream of it, ended before the response.
    private let lostConnections = [
        "Recv failure", "Send failure", "Connection died", "Failed sending data", "Failure when receiving data",
        "Transferred a partial file", "transfer closed with", "Error in the HTTP2 framing layer",
        "Stream error in the HTTP/2", "HTTP/2 stream", "Proxy CONNECT aborted",
    ]
#endif
