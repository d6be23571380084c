#if os(Linux)
    import Teapot

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
        init?(_ text: String) {
            // Only for a text that begins like an event. Two marks have an empty word between them: those of `[HTTP/2] [3] OPENED`
            // are at 1, 4 and 6.
            lazy var words = Self.marks.parts(of: text)
            func word(_ index: Int) -> String { index < words.count ? words[index] : "" }

            // Until 8.2, and from 8.3 on. 7.80 to 7.83 write the number in hexadecimal, and nothing about `GOAWAY`.
            if text.hasPrefix("Using Stream ID: "), let number = ByteSet.number(of: word(3)) {
                self = .stream(number)
            } else if text.hasPrefix("[HTTP/2] ["), word(6) == "OPENED", let number = ByteSet.number(of: word(4)) {
                self = .stream(number)
            } else if text.hasPrefix("received GOAWAY") || text.hasPrefix("recveived GOAWAY"),
                let name = words.firstIndex(of: "last_stream"), let last = ByteSet.number(of: word(name + 1))
            {
                self = .goAway(lastStream: last)
            } else if text.hasPrefix("REFUSED_STREAM, retrying")
                || text.hasPrefix("HTTP/2 stream ") && ByteSet.number(of: word(2)) != nil && word(3) == "refused"
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

        /// The ends of words, as in `[HTTP/2] [3] OPENED` and `last_stream=39`, and the end of the line.
        private static let marks = ByteSet(" []=\n")
    }
#endif
