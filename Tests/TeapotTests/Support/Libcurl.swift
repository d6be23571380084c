import Foundation

#if os(Linux)
    import TeapotCurl
#endif

/// Versions of libcurl on which the outcome of a response depends.
enum Libcurl: String {
    case v8_14 = "8.14"
    case v8_23 = "8.23"

    static func isAtLeast(_ version: Libcurl) -> Bool {
        #if os(Linux)
            CurlTransport.version?.libcurl.compare(version.rawValue, options: .numeric) == .orderedDescending
        #else
            false
        #endif
    }
}
