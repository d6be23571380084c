#if os(Linux)
    import CLibcurl
    import Teapot

    /// A list of strings that libcurl reads.
    final class CurlList {
        private(set) var first: OpaquePointer?

        init(_ texts: [String]) throws(URLError) {
            for text in texts {
                let longer =
                    if let bytes = FieldBytes.bytes(ofReversible: text) {
                        clibcurl_list_append(first, bytes.map(CChar.init(bitPattern:)) + [0])
                    } else {
                        clibcurl_list_append(first, text)
                    }
                guard let longer else { throw .curl(.unknown, "libcurl is out of memory") }
                first = longer
            }
        }

        deinit { clibcurl_list_free(first) }
    }
#endif
