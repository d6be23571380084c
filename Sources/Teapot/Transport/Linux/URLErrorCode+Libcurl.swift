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
            if let code = URLError.Code(alertIn: text) {
                self = code
                return
            }
            // The connection was secure, as over `CurlTransport`: it ended without `close_notify`, or was reset.
            if text.begins(withOneOf: ["OpenSSL SSL_read", "OpenSSL SSL_write"]) {
                self = .networkConnectionLost
                return
            }
            let isOfCertificate = text.hasPrefix("SSL") && text.contains("certificate")
            if isOfCertificate, text.contains(/certificate has expired( \(\d+\))?$/) {
                self = .serverCertificateHasBadDate
            } else if isOfCertificate, text.contains(/certificate is not yet valid( or .*)?( \(\d+\))?$/) {
                self = .serverCertificateNotYetValid
            } else if isOfCertificate {
                self = .serverCertificateUntrusted
            } else if text.begins(withOneOf: failedHandshakes) {
                self = .secureConnectionFailed
            } else if text.begins(withOneOf: lostConnections) {
                self = .networkConnectionLost
            } else if text.hasPrefix("Failed to connect") || text.hasSuffix("send: no filter connected") {
                // libcurl 7.88 ends with the second text if it gave a request to an HTTP/2 connection whose tunnel was not made yet. It
                // sent nothing then.
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

    extension URLError.Code {
        /// The code for a text of OpenSSL with an alert of TLS (RFC 8446, section 6) by which a server, or a proxy, asks for a client's
        /// certificate, or refuses it; `nil` if there is none. In TLS 1.3, it comes when the request may have been sent.
        package init?(alertIn text: String) {
            guard let alert = text.range(of: " alert ") else { return nil }
            let name = String(text[alert.upperBound...])
            if name.hasPrefix("certificate required") {
                self = .clientCertificateRequired
            } else if name.begins(withOneOf: refusals) {
                self = .clientCertificateRejected
            } else {
                return nil
            }
        }
    }

    extension URLError {
        /// The error of a request that had been sent when its connection was lost, if this error then prevented another one: the server
        /// may have handled the request.
        package var afterSending: URLError {
            let reason = "the connection was lost after the request had been sent, and no other could be opened: "
            return URLError(
                .networkConnectionLost,
                userInfo: [NSLocalizedDescriptionKey: reason + localizedDescription, NSUnderlyingErrorKey: self]
            )
        }
    }

    /// The alerts 42 to 46 and 48, as OpenSSL calls them.
    private let refusals = [
        "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
        "certificate unknown", "unknown ca",
    ]

    extension String {
        fileprivate func begins(withOneOf texts: [String]) -> Bool {
            for text in texts where hasPrefix(text) { return true }
            return false
        }
    }

    /// The beginnings of libcurl's texts if no secure connection could be made, apart from those about certificates.
    private let failedHandshakes = [
        "SSL", "OpenSSL", "TLS connect error", "error setting cert", "error adding trust",
    ]

    /// The beginnings of libcurl's texts if a connection, or a stream of it, ended before the response.
    private let lostConnections = [
        "Recv failure", "Send failure", "Connection died", "Failed sending data", "Failure when receiving data",
        "Transferred a partial file", "transfer closed with", "Error in the HTTP2 framing layer",
        "Stream error in the HTTP/2", "HTTP/2 stream", "Proxy CONNECT aborted",
    ]
#endif
