#if os(Linux)
    import Teapot

    extension URLError {
        static func curl(_ code: URLError.Code, _ reason: String) -> URLError {
            URLError(code, userInfo: [NSLocalizedDescriptionKey: reason])
        }

        /// The error of a call whose request was sent `count` times, and ended with this error and a libcurl code. If another connection
        /// could not be opened for the request, the first was lost, and the server may have handled the request, unless it has said that
        /// it did not (`isUnhandled`).
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

        /// The error for a libcurl code (`CURLE_…`, not 0), with libcurl's error text in English, the result of the verification of a
        /// certificate (`X509_V_ERR_…` of OpenSSL), and whether a response had begun.
        init(curl code: Int32, text: String, verification: Int, hasResponse: Bool) {
            let fitting: URLError.Code =
                switch code {
                case 35, 55, 56:
                    URLError.Code(alertIn: text) ?? (code == 35 ? .secureConnectionFailed : .networkConnectionLost)
                case 3: .badURL
                case 5, 6: .cannotFindHost
                case 7, 97: .cannotConnectToHost
                // There is no status line, or an HTTP version or transfer coding is not allowed.
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

    /// libcurl's codes for TLS, certificates and keys.
    private let tlsErrors: [Int32] = [35, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98]
    /// libcurl's codes if no connection could be opened: names, sockets, timeouts, TLS, proxies.
    private let connectionErrors = tlsErrors + [5, 6, 7, 28, 97]
#endif
