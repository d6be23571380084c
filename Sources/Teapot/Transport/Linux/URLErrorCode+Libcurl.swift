#if canImport(FoundationNetworking)
    import TeapotFoundation

    extension URLError.Code {
        /// The code for an error of a `URLSession` task, the same as over `CurlTransport` for the same event.
        init(_ code: URLError.Code, text: String, hasResponse: Bool) {
            switch code {
            // FoundationNetworking has no code for a response that was cut off, nor for TLS.
            case .unknown: self = hasResponse ? .networkConnectionLost : Self.code(forLibcurlText: text) ?? code
            // The connection was closed without a byte.
            case .badServerResponse: self = .networkConnectionLost
            // The scheme is supported: the response begins like one of HTTP/0.9.
            case .unsupportedURL: self = .badServerResponse
            default: self = code
            }
        }

        /// The code for a failed connection, secure or not; `nil` if the text is about something else.
        /// FoundationNetworking uses the code `unknown` for most of these failures, with libcurl's text, which is always English.
        static func code(forLibcurlText text: String) -> URLError.Code? {
            if let code = URLError.Code(alertIn: text) { return code }
            if text.hasPrefix("SSL"), text.contains("certificate") {
                if text.contains(/certificate has expired( \(\d+\))?$/) { return .serverCertificateHasBadDate }
                let isEarly = text.contains(/certificate is not yet valid( or .*)?( \(\d+\))?$/)
                return isEarly ? .serverCertificateNotYetValid : .serverCertificateUntrusted
            }
            for (beginnings, code) in codes where text.begins(withOneOf: beginnings) { return code }
            // libcurl 7.88 ends with this text if it gave a request to an HTTP/2 connection whose tunnel was not made yet. It sent
            // nothing then.
            return text.hasSuffix("send: no filter connected") ? .cannotConnectToHost : nil
        }

        /// The code for a text of OpenSSL with an alert of TLS (RFC 8446, section 6) by which a server, or a proxy, asks for a client's
        /// certificate, or refuses it; `nil` if there is none. In TLS 1.3, it comes when the request may have been sent.
        package init?(alertIn text: String) {
            guard let alert = text.range(of: " alert ") else { return nil }
            let name = String(text[alert.upperBound...])
            let isRequired = name.hasPrefix("certificate required")
            guard isRequired || name.begins(withOneOf: refusals) else { return nil }
            self = isRequired ? .clientCertificateRequired : .clientCertificateRejected
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
        func begins(withOneOf texts: [String]) -> Bool { texts.contains { hasPrefix($0) } }
    }

    /// The codes for the beginnings of libcurl's texts. The first row that fits counts.
    private let codes: [(beginnings: [String], code: URLError.Code)] = [
        // The connection was secure, as over `CurlTransport`: it ended without `close_notify`, or was reset.
        (["OpenSSL SSL_read", "OpenSSL SSL_write"], .networkConnectionLost),
        // No secure connection could be made.
        (["SSL", "OpenSSL", "TLS connect error", "error setting cert", "error adding trust"], .secureConnectionFailed),
        // A connection, or a stream of it, ended before the response.
        (["Recv failure", "Send failure", "Connection died", "Failed sending data"], .networkConnectionLost),
        (["Failure when receiving data", "Transferred a partial file"], .networkConnectionLost),
        (["transfer closed with", "Proxy CONNECT aborted"], .networkConnectionLost),
        (["Error in the HTTP2 framing layer", "Stream error in the HTTP/2", "HTTP/2 stream"], .networkConnectionLost),
        (["Failed to connect"], .cannotConnectToHost),
        (["Could not resolve proxy"], .cannotFindHost),
        (["Too many response headers"], .dataLengthExceedsMaximum),
    ]
#endif
