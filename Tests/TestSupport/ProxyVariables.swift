import Foundation

/// The variables that tell libcurl which proxy to use. Only for tests in a process of their own, which has one environment.
package enum ProxyVariables {
    /// Sets the proxy for https, or for the variable, and no other; `nil` for none.
    package static func set(_ proxy: String?, for name: String = "https_proxy") {
        for other in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
            unsetenv(other)
            unsetenv(other.uppercased())
        }
        if let proxy { setenv(name, proxy, 1) }
    }
}
