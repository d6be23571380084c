package import Foundation

/// The servers that `.ci/tls-servers` starts, all on 127.0.0.1. Most have the same paths, over https; `plain` has them over http.
package enum TLSServers {
    /// By name, from text such as `trusted=40001 expired=40002`; `nil` without servers.
    package static let ports = environment("TEAPOT_TLS_PORTS").map { list in
        let pairs = list.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
        return Dictionary(pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }) { $1 }
    }
    /// The directory of their certificates.
    package static let directory = environment("TEAPOT_TLS_DIRECTORY").map { URL(filePath: $0) }
    /// The pin of the key of `trusted`.
    package static let pin = environment("TEAPOT_TLS_PIN")

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
