#if os(Linux)
    import CLibcurl
    import Teapot

    /// The result of a transfer, and libcurl's measurements.
    extension CurlHandle {
        /// The error of a transfer with a libcurl code (`CURLE_…`); `nil` if the response is whole.
        func error(of code: Int32) -> (any Error)? {
            let hasResponse = exchange?.hasResponse ?? false
            // The server has answered, and takes no more of the request (RFC 9113, section 8.1): a real error has a text.
            let isAnswered = code == CLIBCURL_STREAM_ERROR && hasResponse && errorText.pointee == 0
            if code == CLIBCURL_OK || isAnswered { exchange?.endBody() }
            if let failure = exchange?.failure { return failure }
            guard code == CLIBCURL_OK || isAnswered else {
                if exchange?.readiness == .cancelled { return URLError(.cancelled) }
                return hasResponse ? error(code) : error(code).afterSending(sendCount, isUnhandled: isUnhandled, code)
            }
            return hasResponse ? nil : URLError.curl(.badServerResponse, "the response header is incomplete")
        }

        private func error(_ code: Int32) -> URLError {
            let hasResponse = exchange?.hasResponse ?? false
            let headerLength = clibcurl_get_long(easy, CLIBCURL_INFO_HEADER_SIZE)
            switch Int(code) {
            // libcurl's code for a long line depends on its version.
            case CLIBCURL_OUT_OF_MEMORY where !hasResponse && headerLength > 0,
                CLIBCURL_TOO_LARGE where !hasResponse && headerLength > 0,
                CLIBCURL_RECEIVE_ERROR where !hasResponse && headerLength > ResponseHeader.maximumLength:
                return ResponseHeader.tooLarge
            default: break
            }
            let proxyStatus = clibcurl_get_long(easy, CLIBCURL_INFO_HTTP_CONNECTCODE)
            if !hasResponse, proxyStatus >= 300 { return URLError(proxyStatus: proxyStatus, of: proxyAddress) }
            let details = String(cString: errorText)
            let general = String(cString: clibcurl_easy_error(code))
            // libcurl's text names the host of the URL, although the connection is to the socket.
            if Int(code) == CLIBCURL_COULDNT_CONNECT, let unixSocket {
                let cause = Int32(clamping: clibcurl_get_long(easy, CLIBCURL_INFO_OS_ERRNO))
                let reason = cause > 0 ? String(cString: strerror(cause)) : general
                let text = "could not connect to the Unix socket \(unixSocket): \(reason)"
                return URLError(curl: code, text: text, verification: 0, hasResponse: hasResponse)
            }
            let proxyAddress = proxyAddress
            var text = ProxyAddress.redacted(details.isEmpty ? general : details, of: proxyAddress)
            var verification = clibcurl_get_long(easy, CLIBCURL_INFO_SSL_VERIFYRESULT)
            if let proxyAddress, isConnecting(to: proxyAddress), URLError.isOfTLS(code, text) {
                text = "the proxy \(proxyAddress.name): \(text)"
                verification = clibcurl_get_long(easy, CLIBCURL_INFO_PROXY_SSL_VERIFYRESULT)
            }
            // A password that is refused once is refused again.
            let refusals = [CLIBCURL_SOCKS_NO_METHOD, CLIBCURL_SOCKS_USER_REJECTED]
            if code == CLIBCURL_PROXY_FAILED, refusals.contains(clibcurl_get_long(easy, CLIBCURL_INFO_PROXY_ERROR)) {
                return .curl(.userAuthenticationRequired, text)
            }
            return URLError(curl: code, text: text, verification: verification, hasResponse: hasResponse)
        }

        /// Whether the connection to a proxy was being opened, not one through its tunnel, or past it.
        private func isConnecting(to proxy: ProxyAddress) -> Bool {
            guard proxy.isSecure, let exchange, !exchange.hasResponse, sendCount == 0 else { return false }
            if self.proxy == .environment, !proxy.mayMakeTunnel(to: exchange.origin.host) { return false }
            return exchange.origin.scheme == "http" || clibcurl_get_long(easy, CLIBCURL_INFO_HTTP_CONNECTCODE) == 0
        }

        /// libcurl's measurements of the exchange.
        var timings: Teapot.Timings {
            var timings = Teapot.Timings()
            let isReused = clibcurl_get_long(easy, CLIBCURL_INFO_NUM_CONNECTS) == 0
            if !isReused {
                timings.nameLookup = duration(CLIBCURL_INFO_NAMELOOKUP_TIME)
                timings.connect = duration(CLIBCURL_INFO_CONNECT_TIME)
                timings.tls = duration(CLIBCURL_INFO_APPCONNECT_TIME)
            }
            timings.firstByte = duration(CLIBCURL_INFO_STARTTRANSFER_TIME)
            timings.bytesSent =
                clibcurl_get_long(easy, CLIBCURL_INFO_REQUEST_SIZE)
                + Int(clibcurl_get_offset(easy, CLIBCURL_INFO_SIZE_UPLOAD))
            timings.bytesReceived =
                clibcurl_get_long(easy, CLIBCURL_INFO_HEADER_SIZE)
                + Int(clibcurl_get_offset(easy, CLIBCURL_INFO_SIZE_DOWNLOAD))
            timings.networkProtocol = networkProtocol
            if let peer {
                timings.remoteAddress = peer
                timings.isConnectionReused = isReused
            }
            return timings
        }

        /// The proxy, for an error. From libcurl 8.14 on, a connection on which no tunnel was made has no address.
        private var proxyAddress: ProxyAddress? { proxy.address(for: exchange?.origin.scheme ?? "https") }

        /// The address and port of the server, or of its proxy; `nil` without a connection.
        private var peer: String? {
            // After an error, libcurl may have tried another connection since.
            if result == Int32(CLIBCURL_OK), let connection { return connection.peer }
            let address = clibcurl_get_string(easy, CLIBCURL_INFO_PRIMARY_IP).map { String(cString: $0) }
            guard let address, !address.isEmpty else { return nil }
            return CurlConnection.Ends.peer(address, clibcurl_get_long(easy, CLIBCURL_INFO_PRIMARY_PORT))
        }

        /// A time since the start of the exchange; `nil` if it did not get that far.
        private func duration(_ info: clibcurl_info) -> Duration? {
            let microseconds = clibcurl_get_offset(easy, info)
            return microseconds > 0 ? .microseconds(microseconds) : nil
        }

        /// The protocol in the form of a status line, such as `HTTP/1.1`; `nil` if nothing arrived.
        var networkProtocol: String? {
            switch clibcurl_get_long(easy, CLIBCURL_INFO_HTTP_VERSION) {
            case 1: "HTTP/1.0"
            case 2: "HTTP/1.1"
            case 3: "HTTP/2"
            case 30: "HTTP/3"
            default: nil
            }
        }
    }
#endif
