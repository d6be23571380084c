#if os(Linux)
    import Teapot

    /// The URL of an exchange, as libcurl takes it.
    struct CurlAddress {
        let text: String
        /// `text` as parsed before, if libcurl need not parse it again.
        var url: CurlURL?
        /// The request target (RFC 9112, section 3.2), if libcurl need not make it: ``LibcurlFault/lostQuestionMark``.
        var target: String?
    }

    /// Makes addresses. libcurl spends some 12,000 instructions on parsing a URL, and most requests of a transport have the same
    /// origin, so the last origin is kept while there are requests.
    final class AddressList {
        private let proxy: CurlTransport.Proxy
        private var last: CurlAddress?

        init(_ proxy: CurlTransport.Proxy) { self.proxy = proxy }

        var isEmpty: Bool { last == nil }

        func forget() { last = nil }

        func address(for exchange: CurlExchange) -> CurlAddress {
            let text = exchange.url.withoutUserInformation.absoluteString
            // A proxy that gets the whole URL must not get a target instead.
            let mayBeProxied = exchange.origin.scheme == "http" && proxy != .none
            guard !mayBeProxied, let (origin, target) = Self.parts(of: text) else { return CurlAddress(text: text) }
            if last?.text != origin { last = Self.parse(origin) }
            guard var address = last else { return CurlAddress(text: text, target: target) }
            address.target = target
            return address
        }

        /// - Returns: `nil` if libcurl must parse the URL itself: ``LibcurlFault/lostZone``.
        private static func parse(_ origin: String) -> CurlAddress? {
            guard strchr(origin, CInt(UInt8(ascii: "%"))) == nil else { return nil }
            return CurlURL(origin).map { CurlAddress(text: origin, url: $0) }
        }

        /// The parts of an http or https URL before its path and from there on, without a fragment, which is not sent.
        /// - Returns: `nil` with characters that no URL has: libcurl refuses some of them.
        static func parts(of url: String) -> (origin: String, target: String)? {
            var url = url
            return url.withUTF8 { bytes in
                guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
                let authority = bytes.dropFirst(colon + 3)
                let path = authority.drop {
                    $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
                }
                let sent = path.prefix { $0 != UInt8(ascii: "#") }
                guard sent.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
                let target = String(decoding: sent, as: UTF8.self)
                let origin = String(decoding: bytes[..<path.startIndex], as: UTF8.self)
                return (origin, sent.first == UInt8(ascii: "/") ? target : "/" + target)
            }
        }
    }
#endif
