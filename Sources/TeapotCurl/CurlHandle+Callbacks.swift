#if os(Linux)
    import CLibcurl
    import Teapot

    /// The functions that libcurl calls, within `clibcurl_multi_perform` and `clibcurl_easy_resume`.
    extension CurlHandle {
        /// Sets the functions that libcurl calls.
        func setFunctions() {
            clibcurl_set_data_function(easy, CLIBCURL_HEADERFUNCTION) { bytes, size, count, context in
                CurlHandle.of(context)?.takeHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            }
            clibcurl_set_data_function(easy, CLIBCURL_WRITEFUNCTION) { bytes, size, count, context in
                CurlHandle.of(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            }
            clibcurl_set_data_function(easy, CLIBCURL_READFUNCTION) { bytes, size, count, context in
                CurlHandle.of(context)?.giveBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
                    ?? Int(CLIBCURL_ABORT)
            }
            clibcurl_set_seek_function(easy) { context, offset, origin in
                CurlHandle.of(context)?.beginBodyAgain(at: offset, from: origin) ?? Int32(CLIBCURL_REFUSE)
            }
            clibcurl_set_open_socket_function(easy) { context, _, address in
                // Child processes do not inherit the socket.
                let type = address.pointee.type | Int32(SOCK_CLOEXEC.rawValue)
                let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
                if descriptor >= 0 { CurlHandle.of(context)?.exchange?.didOpen(descriptor) }
                return descriptor
            }
            clibcurl_set_close_socket_function(easy) { context, descriptor in
                context.map { Unmanaged<CurlConnections>.fromOpaque($0).takeUnretainedValue() }?.forget(descriptor)
                return close(descriptor)
            }
            clibcurl_set_debug_function(easy) { _, kind, text, count, context in
                if kind == 0 { CurlHandle.of(context)?.takeText(UnsafeRawBufferPointer(start: text, count: count)) }
                return 0
            }
            guard library.asksBeforeRequests else { return }
            clibcurl_set_prerequest_function(easy) { context, remote, _, remotePort, localPort in
                let remote = remote.map { String(cString: $0) } ?? ""
                let ends = CurlConnection.Ends(remote: remote, remotePort: remotePort, localPort: localPort)
                return CurlHandle.of(context)?.allowRequest(on: ends) ?? Int32(CLIBCURL_REFUSE)
            }
        }

        /// The handle that libcurl got as a context.
        static func of(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
            context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
        }

        private func takeHeaderLine(_ line: UnsafeRawBufferPointer) -> Int {
            guard let exchange else { return 0 }
            didReceive()
            let isTaken = exchange.takeHeaderLine(line) { networkProtocol ?? "HTTP/1.1" }
            return isTaken ? line.count : 0
        }

        private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard let exchange, exchange.readiness != .cancelled else { return 0 }
            didReceive()
            if exchange.mustPause {
                isPaused = true
                exchange.isHeldBack = true
                return Int(CLIBCURL_PAUSE)
            }
            return exchange.takeBody(Data(bytes)) ? bytes.count : 0
        }

        /// Only on a connection of HTTP/2 do others wait after a call that gave up.
        private func didReceive() {
            if connection?.isShared != false { connection?.didReceive(at: DispatchTimer().elapsed) }
        }

        private func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            switch exchange?.nextPieceOfBody(upTo: buffer.count) {
            case .bytes(let piece):
                return piece.copyBytes(to: buffer)
            case .wait:
                isPaused = true
                return Int(CLIBCURL_PAUSE)
            case .end: return 0
            case .failure, .none: return Int(CLIBCURL_ABORT)
            }
        }

        private func beginBodyAgain(at offset: Int64, from origin: Int32) -> Int32 {
            guard let exchange, origin == SEEK_SET else { return Int32(CLIBCURL_REFUSE) }
            // libcurl may ask for the beginning of the body before or after it asks whether the request may be sent.
            guard canBeSent || repetition.sendCount > 1, exchange.body.move(to: Int(offset)) else {
                exchange.refuseToRepeat(after: repetition.sendCount)
                return Int32(CLIBCURL_REFUSE)
            }
            return 0
        }

        /// Says whether a request may be sent on a connection. libcurl asks each time, also if it sends a request again because the connection
        /// was closed, up to five times.
        private func allowRequest(on ends: CurlConnection.Ends) -> Int32 {
            guard let exchange, exchange.failure == nil else { return Int32(CLIBCURL_REFUSE) }
            guard canBeSent else {
                exchange.refuseToRepeat(after: repetition.sendCount)
                return Int32(CLIBCURL_REFUSE)
            }
            let found = exchange.connection(ends)
            if !isFresh, found?.isFit != true {
                isStale = true
                // Without this, a connection of HTTP/2 would stay open.
                closeConnection()
                return Int32(CLIBCURL_REFUSE)
            }
            repetition.send(after: connection, on: found?.connection)
            use(found?.connection)
            // A connection that cannot be found cannot be looked at later.
            if found == nil { closeConnection() }
            exchange.didSend()
            return 0
        }

        /// Takes a text of libcurl's verbose output, which ends with a line break.
        private func takeText(_ bytes: UnsafeRawBufferPointer) {
            switch HTTP2Notice(String(decoding: bytes, as: UTF8.self)) {
            case .stream(let number):
                repetition.stream = number
                connection?.namesStreams = true
            case .goAway(let last): connection?.lastStream = min(last, connection?.lastStream ?? last)
            case .refused: repetition.isRefused = true
            case .downgrade:
                // ``LibcurlFault/bodyNotRewound``
                repetition.isRefused = exchange?.canBeDowngraded() == true
                leaveConnection()
                exchange?.didDowngrade()
            case .retry:
                leaveConnection()
                exchange?.didLeaveConnection()
            case nil: break
            }
        }
    }
#endif
