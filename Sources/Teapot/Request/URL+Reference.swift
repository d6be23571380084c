import Foundation

extension URL {
    /// The URL of a reference in a response to this URL (RFC 3986, section 5), without user information and fragment; `nil` if
    /// the reference is not valid.
    package func resolving(_ reference: String) -> URL? {
        guard !reference.holdsControlCharacters else { return nil }
        // By scalars, as in `PathReference`.
        let fragmentStart = reference.unicodeScalars.firstIndex(of: "#") ?? reference.endIndex
        let target = reference[..<fragmentStart]
        // Brackets are allowed in a URL only around an IPv6 address.
        let address =
            target.contains("[")
            ? target.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*:)?\/\/\[[0-9A-Fa-f:.]+\]/)?.output.0 ?? "" : ""
        let encoded = String(address) + PercentEncoding.encodeStray(target.dropFirst(address.count))
        // Foundation makes no URL from an empty text, which stands for the same document.
        let resolved = encoded.isEmpty ? self : URL(string: encoded, relativeTo: self)?.absoluteURL
        guard let resolved, var components = URLComponents(url: resolved, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.scheme = components.scheme?.lowercased()
        return components.url?.withoutUserInformation.withNormalizedPath
    }
}
