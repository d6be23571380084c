#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The sessions that have outlived their transports, for later transports with the same settings.
    ///
    /// From libcurl 8.12 on, the process ends if a session is released while it has a TLS connection: libcurl then calls an object of
    /// FoundationNetworking that is being deinitialized. So a session that may have a connection is kept, and used again: there are never
    /// more with the same settings than transports have been in use at a time.
    enum SessionPool {
        static let sessions = Locked<[(settings: [String], session: DelegatedSession)]>([])
        /// Sessions with connections that may have gone silent. The first one was left first.
        static let silent = Locked<[(settings: [String], session: DelegatedSession)]>([])
        /// The number of silent sessions with the same settings that are kept before the first is used again.
        static let patience = 4

        /// Keeps a session that no transport uses any more.
        static func add(_ session: DelegatedSession) {
            let settings = settings(of: session.session.configuration)
            sessions.withLock { $0.append((settings, session)) }
        }

        /// Takes the session that was added last, whose connections are most likely to be open; `nil` if none has the same settings. Must
        /// not be called under a lock, since the settings contain descriptions of a caller's values.
        static func take(for configuration: URLSessionConfiguration) -> DelegatedSession? {
            // Most processes have none at all.
            guard sessions.withLock({ !$0.isEmpty }) else { return nil }
            let settings = settings(of: configuration)
            return sessions.withLock { sessions in
                sessions.lastIndex { $0.settings == settings }.map { sessions.remove(at: $0).session }
            }
        }

        /// Keeps a session that may have a connection that has gone silent.
        /// - Returns: The session that was left first, if enough are kept; its connections have most likely been closed meanwhile.
        static func replacement(for session: DelegatedSession) -> DelegatedSession? {
            let settings = settings(of: session.session.configuration)
            return silent.withLock { silent in
                silent.append((settings, session))
                let places = silent.indices.filter { silent[$0].settings == settings }
                return places.count > patience ? silent.remove(at: places[0]).session : nil
            }
        }

        /// The settings of a caller in a configuration that ``URLSessionConfiguration/checked(_:)`` leaves as it is, except for what
        /// FoundationNetworking can only ignore, such as `timeoutIntervalForResource`.
        static func settings(of configuration: URLSessionConfiguration) -> [String] {
            let pipelines = (configuration as any Pipelining).httpShouldUsePipelining
            let policy = configuration.requestCachePolicy.rawValue
            let own = ["\(configuration.httpMaximumConnectionsPerHost)", "\(pipelines)", "\(policy)"]
            let classes = (configuration.protocolClasses ?? []).map { "\(ObjectIdentifier($0))" }
            let proxies = (configuration.connectionProxyDictionary ?? [:]).map { "\($0.key)=\($0.value)" }
            return own + classes + proxies.sorted(byPlace: { proxies[$0] < proxies[$1] })
        }
    }

    /// For a property that is deprecated, but is read by FoundationNetworking.
    private protocol Pipelining { var httpShouldUsePipelining: Bool { get } }

    extension URLSessionConfiguration: Pipelining {}
#endif
