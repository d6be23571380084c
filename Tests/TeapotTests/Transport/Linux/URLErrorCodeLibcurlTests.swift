#if canImport(FoundationNetworking)
    import Foundation
    import TestTraits
    import Testing

    @testable internal import Teapot

    /// libcurl's texts, as seen with 7.88, 8.14 and 8.23, or in the source; `TLSTests` and `HandshakeTests` see some of them come.
    @Suite(.inTurn)
    struct URLErrorCodeLibcurlTests {
        static let texts: [(String, URLError.Code)] = [
            ("SSL certificate problem: certificate has expired", URLError.Code.serverCertificateHasBadDate),
            ("SSL certificate problem: certificate is not yet valid", .serverCertificateNotYetValid),
            ("SSL certificate problem: self-signed certificate", .serverCertificateUntrusted),
            ("SSL certificate problem: self-signed certificate in certificate chain", .serverCertificateUntrusted),
            ("SSL certificate problem: unable to get local issuer certificate", .serverCertificateUntrusted),
            ("SSL certificate problem: EE certificate key too weak", .serverCertificateUntrusted),
            (
                "SSL: no alternative certificate subject name matches target host name 'a.example'",
                .serverCertificateUntrusted
            ),
            (
                "SSL: certificate subject name 'a.example' does not match target host name 'b.example'",
                .serverCertificateUntrusted
            ),
            ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .secureConnectionFailed),
            (
                "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to certificate.example:443 ",
                .secureConnectionFailed
            ),
            ("error setting certificate file: /etc/ssl/certs/ca-certificates.crt", .secureConnectionFailed),
            // From 8.14 on.
            ("TLS connect error: error:0A00010B:SSL routines::wrong version number", .secureConnectionFailed),
            ("error adding trust anchors from file: /etc/ssl/certs/ca-certificates.crt", .secureConnectionFailed),
            // From 8.23 on, with OpenSSL's number.
            ("SSL certificate OpenSSL verify result: certificate has expired (10)", .serverCertificateHasBadDate),
            ("SSL certificate OpenSSL verify result: certificate is not yet valid (9)", .serverCertificateNotYetValid),
            (
                "SSL certificate OpenSSL verify result: certificate is not yet valid or the system clock is incorrect (9)",
                .serverCertificateNotYetValid
            ),
            ("SSL certificate OpenSSL verify result: self-signed certificate (18)", .serverCertificateUntrusted),
            ("SSL connection timeout", .secureConnectionFailed),
            (
                "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
                .clientCertificateRequired
            ),
            (
                "OpenSSL SSL_read: error:0A000418:SSL routines::tlsv1 alert unknown ca, errno 0",
                .clientCertificateRejected
            ),
            ("TLS connect error: error:0A000412:SSL routines::sslv3 alert bad certificate", .clientCertificateRejected),
            (
                "SSL routines::ssl/tls alert unsupported certificate", .clientCertificateRejected
            ),
            ("SSL routines::sslv3 alert certificate revoked", .clientCertificateRejected),
            ("SSL routines::sslv3 alert certificate expired", .clientCertificateRejected),
            ("SSL routines::sslv3 alert certificate unknown", .clientCertificateRejected),
            ("SSL routines::sslv3 alert handshake failure", .secureConnectionFailed),
            (
                "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
                .networkConnectionLost
            ),
            ("OpenSSL SSL_read: Connection reset by peer, errno 104", .networkConnectionLost),
            ("OpenSSL SSL_write: SSL_ERROR_SYSCALL, errno 32", .networkConnectionLost),
            ("Recv failure: Connection reset by peer", .networkConnectionLost),
            ("Send failure: Connection reset by peer", .networkConnectionLost),
            ("Connection died, tried 5 times before giving up", .networkConnectionLost),
            // Seen over HTTP/2.
            ("Transferred a partial file", .networkConnectionLost),
            ("Stream error in the HTTP/2 framing layer", .networkConnectionLost),
            ("Error in the HTTP2 framing layer", .networkConnectionLost),
            ("HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)", .networkConnectionLost),
            ("Failed to connect to 127.0.0.1 port 8080 after 0 ms: Couldn't connect to server", .cannotConnectToHost),
            ("[CONN-0-0] send: no filter connected", .cannotConnectToHost),
            ("Could not resolve proxy: proxy.example", .cannotFindHost),
            ("Too many response headers, 5000 is max", .dataLengthExceedsMaximum),
        ]

        @Test(arguments: brief(texts))
        func `are those of Apple platforms`(_ argument: Brief<(String, URLError.Code)>) {
            let (text, code) = argument.value
            #expect(URLError.Code.code(forLibcurlText: text) == code)
        }

        @Test(arguments: ["", "Weird server reply", "Header without colon", "the certificate has expired"])
        func `are not for other texts`(text: String) {
            #expect(URLError.Code.code(forLibcurlText: text) == nil)
        }

        @Test func `an event has the same code as over libcurl`() {
            let empty = "Server returned nothing (no headers, no data)"
            let events: [(URLError.Code, String, hasResponse: Bool, URLError.Code)] = [
                (.badServerResponse, empty, false, .networkConnectionLost),
                (.unsupportedURL, "Received HTTP/0.9 when not allowed", false, .badServerResponse),
                (.unknown, "Transferred a partial file", false, .networkConnectionLost),
                (.unknown, "Weird server reply", true, .networkConnectionLost),
                (.unknown, "Weird server reply", false, .unknown),
                (.timedOut, "Recv failure", true, .timedOut),
                (.cancelled, "Recv failure", false, .cancelled),
            ]
            for (code, text, hasResponse, expected) in events {
                #expect(URLError.Code(code, text: text, hasResponse: hasResponse) == expected, "\(text)")
            }
        }
    }
#endif
