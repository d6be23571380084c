#if os(Linux)
    import Teapot

    extension URLError {
        static func curl(_ code: URLError.Code, _ reason: String) -> URLError {
            URLError(code, userInfo: [NSLocalizedDescriptionKey: reason])
        }

        /// This error, which ended a request that was sent before: if another connection could not be opened for it, the first was lost,
        /// and the server may have handled it.
        ///
        /// - Parameters:
        ///   - count: How often the request was sent.
        ///   - isUnhandled: Whether the server has said that it did not handle it.
        ///   - curl: `CURLE_…`
        /// - Returns: The error of the call.
        func afterSending(_ count: Int, isUnhandled: Bool, _ curl: Int32) -> URLError {
            let error = count > 0 && !isUnhandled && connectionErrors.contains(curl) ? afterSending : self
            guard count > 1 else { return error }
            let reason = "\(error.localizedDescription) (the request was sent \(count) times)"
            return URLError(error.code, userInfo: [NSLocalizedDescriptionKey: reason, NSUnderlyingErrorKey: self])
        }

        /// Whether a libcurl code is about TLS.
        static func isOfTLS(_ code: Int32, _ text: String) -> Bool {
            tlsErrors.contains(code) || [55, 56].contains(code) && URLError.Code(alertIn: text) != nil
        }

        /// The error for a libcurl code.
        ///
        /// - Parameters:
        ///   - code: `CURLE_…`; not 0.
        ///   - text: libcurl's error text, in English.
        ///   - verification: The result of the verification of a certificate: `X509_V_ERR_…` of OpenSSL.
        ///   - hasResponse: Whether a response had begun.
        init(curl code: Int32, text: String, verification: Int, hasResponse: Bool) {
            let fitting: URLError.Code =
                switch code {
                case 35, 55, 56:
                    URLError.Code(alertIn: text) ?? (code == 35 ? .secureConnectionFailed : .networkConnectionLost)
                case 3: .badURL
                case 5, 6: .cannotFindHost
                case 7, 97: .cannotConnectToHost
                // No status line, an HTTP version or a transfer coding that is not allowed.
                case 1, 8, 61: .badServerResponse
                case 28: .timedOut
                // The client's own certificate.
                case 58: .clientCertificateRejected
                case 98: .clientCertificateRequired
                case 60 where verification == 9: .serverCertificateNotYetValid
                case 60 where verification == 10: .serverCertificateHasBadDate
                case 60, 83, 90, 91: .serverCertificateUntrusted
                case 53, 54, 59, 66, 77, 80, 82: .secureConnectionFailed
                // The connection ended before the response was complete, or before it began.
                case 100: .dataLengthExceedsMaximum
                case 16, 18, 42, 52, 65, 92: .networkConnectionLost
                default: hasResponse ? .networkConnectionLost : .unknown
                }
            self = .curl(fitting, text)
        }
    }

    /// What libcurl says about TLS, certificates and keys.
    private let tlsErrors: Set<Int32> = [35, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98]
    /// What libcurl says if no connection could be opened: names, sockets, timeouts, TLS, proxies.
    private let connectionErrors = tlsErrors.union([5, 6, 7, 28, 97])
#endif
