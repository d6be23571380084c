#if os(Linux)
    import CLibcurl

    /// A URL that libcurl has parsed.
    final class CurlURL {
        let pointer: OpaquePointer

        /// - Returns: `nil` if libcurl refuses it, or no memory is left.
        init?(_ text: String) {
            guard let pointer = clibcurl_url_parse(text) else { return nil }
            self.pointer = pointer
        }

        deinit { clibcurl_url_free(pointer) }
    }
#endif
