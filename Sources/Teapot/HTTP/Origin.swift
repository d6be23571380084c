import Foundation

/// The scheme, host and port of a URL (RFC 6454): URLs with the same origin have the same server.
package struct Origin: Hashable, Sendable {
    package let scheme, host: String
    package let port: Int

    /// The origin of an http or https URL with a host; `nil` for any other.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return nil }
        guard let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
    }
}
