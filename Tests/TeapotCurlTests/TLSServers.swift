#if os(Linux)
    import Teapot

    /// The servers that `.ci/tls-servers` starts.
    enum TLSServers {
        /// By name.
        static let ports = ProcessInfo.processInfo.environment["TEAPOT_TLS_PORTS"].map { list in
            let pairs = list.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
            return Dictionary(pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }) { $1 }
        }
        static let directory = ProcessInfo.processInfo.environment["TEAPOT_TLS_DIRECTORY"].map { URL(filePath: $0) }
        static let pin = ProcessInfo.processInfo.environment["TEAPOT_TLS_PIN"]
    }
#endif
