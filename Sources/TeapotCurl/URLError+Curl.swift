#if os(Linux)
    import Teapot

    extension URLError {
        static func curl(_ code: URLError.Code, _ reason: String) -> URLError {
            URLError(code, userInfo: [NSLocalizedDescriptionKey: reason])
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
                case 35, 53, 54, 59, 66, 77, 80, 82: .secureConnectionFailed
                // The connection ended before the response was complete, or before it began.
                case 100: .dataLengthExceedsMaximum
                case 16, 18, 42, 52, 55, 56, 65, 92: .networkConnectionLost
                default: hasResponse ? .networkConnectionLost : .unknown
                }
            self = .curl(fitting, text)
        }
    }
#endif
