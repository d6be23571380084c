import Foundation

extension URL {
    /// The URL with the path that all versions of libcurl send as it is.
    var withNormalizedPath: URL {
        let own = path(percentEncoded: true)
        let path = RequestPath.normalized(own)
        guard path != own, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        components.percentEncodedPath = path
        return components.url ?? self
    }
}
