#if os(Linux)
    import CLibcurl
    import Teapot

    /// A request in the form that libcurl takes.
    extension CurlHandle {
        /// Sets the method, and whether there is a body.
        func setMethod(of exchange: CurlExchange) throws(URLError) {
            // This also reverts the settings of the previous exchange.
            clibcurl_set_long(easy, CLIBCURL_HTTPGET, 1)
            let method = exchange.request.httpMethod ?? "GET"
            var own: String?
            // -1 if it is unknown.
            let size = exchange.body.size ?? (exchange.body.isEmpty ? 0 : -1)
            switch method {
            // A length is sent even if it is 0, since these methods expect a body (RFC 9110, section 8.6).
            case _ where size != 0, "POST", "PUT", "PATCH":
                clibcurl_set_long(easy, CLIBCURL_POST, 1)
                clibcurl_set_offset(easy, CLIBCURL_POSTFIELDSIZE_LARGE, Int64(size))
                own = method == "POST" ? nil : method
            case "GET": break
            case "HEAD": clibcurl_set_long(easy, CLIBCURL_NOBODY, 1)
            default: own = method
            }
            guard clibcurl_set_string(easy, CLIBCURL_CUSTOMREQUEST, own) == CLIBCURL_OK else {
                throw .curl(.unknown, "libcurl rejected the method")
            }
        }
    }
#endif
