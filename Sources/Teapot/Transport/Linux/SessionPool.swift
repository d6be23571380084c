#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The sessions that have outlived their transports, for later transports with the same settings.
    ///
    /// From libcurl 8.12 on, the process ends if a session is released while it has a TLS connection. libcurl closes the connection
    /// in order then, by callbacks to an object of FoundationNetworking that is being deinitialized, and that is retained for
    /// them. Nothing closes the connections of a session earlier. So a session that may have one is never released. It is used
    /// again, which bounds their number: there are never more of the same settings than transports have been in use at a time.
    enum SessionPool {
        private static let sessions = Locked<[Settings: [DelegatedSession]]>([:])
        /// Those with connections that may have gone silent. The first one was left first.
        private static let silent = Locked<[Settings: [DelegatedSession]]>([:])
        /// The number of silent ones with the same settings that are kept before the first is used again.
        static let patience = 4

        /// Keeps a session that no transport uses any more.
        static func add(_ session: DelegatedSession) {
            let settings = Settings(session.session.configuration)
            sessions.withLock { $0[settings, default: []].append(session) }
        }

        /// Takes the session that was added last, whose connections are most likely to be open; `nil` if none has the same settings.
        ///
        /// The settings contain descriptions of a caller's values, so this must not be called under a lock.
        static func take(for configuration: URLSessionConfiguration) -> DelegatedSession? {
            // Most processes have none at all.
            guard sessions.withLock({ !$0.isEmpty }) else { return nil }
            let settings = Settings(configuration)
            return sessions.withLock { sessions in
                let session = sessions[settings]?.popLast()
                if sessions[settings]?.isEmpty == true { sessions[settings] = nil }
                return session
            }
        }

        /// Keeps a session that may have a connection that has gone silent.
        /// - Returns: The one that was left first, if enough are kept; its connections have most likely been closed meanwhile.
        static func replacement(for session: DelegatedSession) -> DelegatedSession? {
            let settings = Settings(session.session.configuration)
            return silent.withLock { silent in
                silent[settings, default: []].append(session)
                guard let kept = silent[settings], kept.count > patience else { return nil }
                return silent[settings]?.removeFirst()
            }
        }

        static var silentCount: Int { silent.withLock { $0.values.reduce(0) { $0 + $1.count } } }

        /// The number of sessions kept, without those.
        static var count: Int { sessions.withLock { $0.values.reduce(0) { $0 + $1.count } } }
    }

    extension SessionPool {
        /// The settings of a caller in a configuration that ``URLSessionConfiguration/checked(_:)`` leaves as it is, except for what
        /// FoundationNetworking can only ignore, such as `timeoutIntervalForResource`.
        struct Settings: Hashable {
            private let connections: Int
            private let isPipelining: Bool
            private let cachePolicy: UInt
            private let protocolClasses: [ObjectIdentifier]
            private let proxies: [String]

            init(_ configuration: URLSessionConfiguration) {
                connections = configuration.httpMaximumConnectionsPerHost
                isPipelining = (configuration as any Pipelining).httpShouldUsePipelining
                cachePolicy = configuration.requestCachePolicy.rawValue
                protocolClasses = (configuration.protocolClasses ?? []).map(ObjectIdentifier.init)
                proxies = (configuration.connectionProxyDictionary ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            }
        }
    }

    /// For a property that is deprecated, but is read by FoundationNetworking.
    private protocol Pipelining { var httpShouldUsePipelining: Bool { get } }

    extension URLSessionConfiguration: Pipelining {}
#endif
