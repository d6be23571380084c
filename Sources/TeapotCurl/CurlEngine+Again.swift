#if os(Linux)
    import CLibcurl

    /// Exchanges that libcurl gets again.
    extension CurlEngine {
        /// Begins an exchange again, if it was not sent, or if its server has not handled it.
        func beginAgain(_ handle: CurlHandle, _ code: Int32) -> Bool {
            guard code != CLIBCURL_OK, let exchange = handle.exchange, exchange.failure == nil else { return false }
            let hasLostConnection = Self.lostConnections.contains(Int(code))
            if handle.isStale || hasLostConnection && handle.leaveUnsent() { return addAgain(handle) }
            let isLost = hasLostConnection && handle.mayRepeat
            let limit = handle.isBeingReplaced ? Self.maximumReplacements : 1
            if handle.isUnhandled || isLost, !exchange.hasResponse, exchange.repeatCount < limit,
                exchange.body.move(to: 0)
            {
                exchange.repeatCount += 1
                return addAgain(handle)
            }
            let codes = [CLIBCURL_COULDNT_RESOLVE_HOST, CLIBCURL_COULDNT_CONNECT, CLIBCURL_UNREADABLE_CA]
            guard codes.contains(Int(code)), !exchange.hasBegunAgain, library.lacksDescriptors() else { return false }
            exchange.hasBegunAgain = true
            return addInsteadOfAnother(handle)
        }

        /// The number of times that an exchange begins again while its server replaces connections; otherwise it begins again once. Each
        /// time, libcurl repeats the request up to five times itself.
        private static let maximumReplacements = 20
        /// libcurl's codes for a connection, or a stream of it, that has ended without a response.
        private static let lostConnections = [
            CLIBCURL_HTTP2_ERROR, CLIBCURL_PARTIAL_FILE, CLIBCURL_NOTHING_RECEIVED, CLIBCURL_SEND_ERROR,
            CLIBCURL_RECEIVE_ERROR, CLIBCURL_STREAM_ERROR,
        ]

        private func addAgain(_ handle: CurlHandle) -> Bool {
            handle.beginAgain()
            handle.exchange.map { move($0, to: .pending) }
            clibcurl_multi_remove(multi, handle.easy)
            return clibcurl_multi_add(multi, handle.easy) == CLIBCURL_OK
        }

        /// Adds an exchange again for which no descriptor was left. An idle connection is closed to free a descriptor.
        private func addInsteadOfAnother(_ handle: CurlHandle) -> Bool {
            clibcurl_multi_remove(multi, handle.easy)
            // Before it connects, libcurl closes idle connections beyond this limit.
            clibcurl_multi_set_long(multi, CLIBCURL_MAX_TOTAL_CONNECTIONS, 1)
            clibcurl_multi_add(multi, handle.easy)
            clibcurl_multi_perform(multi)
            clibcurl_multi_set_long(multi, CLIBCURL_MAX_TOTAL_CONNECTIONS, maximumConnections)
            // If all connections are in use, the exchange would wait for one of them.
            clibcurl_multi_remove(multi, handle.easy)
            return clibcurl_multi_add(multi, handle.easy) == CLIBCURL_OK
        }
    }
#endif
