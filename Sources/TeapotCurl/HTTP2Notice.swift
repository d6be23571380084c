#if os(Linux)
    /// An event of a request that libcurl reports only in its verbose text.
    enum HTTP2Notice: Equatable {
        /// The request has got this stream (RFC 9113, section 5).
        case stream(Int)
        /// The server handles no stream of the connection after this one (`GOAWAY`; section 6.8).
        case goAway(lastStream: Int)
        /// The server has refused the stream of the request, and has not handled it (section 8.7).
        case refused
        /// The server wants HTTP/1.1 for the request, and has not handled it (`HTTP_1_1_REQUIRED`; section 7). libcurl sends it again.
        case downgrade
        /// libcurl looks for another connection for the request.
        case retry

        /// Reads a text of libcurl; `nil` if it reports no such event. Neither a server nor a caller can choose how a text begins.
        init?(_ text: Substring) {
            // Until 8.2, and from 8.3 on. 7.80 to 7.83 write the number in hexadecimal, and nothing about `GOAWAY`.
            if let number = Self.number(in: text, after: "Using Stream ID: ", before: " ")
                ?? Self.number(in: text, after: "[HTTP/2] [", before: "] OPENED")
            {
                self = .stream(number)
            } else if let start = ["received GOAWAY", "recveived GOAWAY"].first(where: text.hasPrefix) {
                let name = "last_stream="
                let last = text.dropFirst(start.count).split(separator: " ").first { $0.hasPrefix(name) }
                guard let last = last.flatMap({ Int($0.dropFirst(name.count)) }) else { return nil }
                self = .goAway(lastStream: last)
            } else if text.hasPrefix("REFUSED_STREAM, retrying")
                || text.hasPrefix("HTTP/2 stream ") && text.dropFirst(14).drop(while: \.isNumber).hasPrefix(" refused")
            {
                self = .refused
            } else if text.hasPrefix("Downgrades to HTTP/1.1") {
                self = .downgrade
            } else if text.hasPrefix("Connection died, retrying") {
                self = .retry
            } else {
                return nil
            }
        }

        /// The number between two texts, or at the end.
        private static func number(in text: Substring, after start: String, before end: String) -> Int? {
            guard text.hasPrefix(start) else { return nil }
            let digits = text.dropFirst(start.count).prefix { $0.isHexDigit }
            let rest = text[digits.endIndex...]
            return rest.isEmpty || rest.hasPrefix(end) ? Int(digits) : nil
        }
    }
#endif
