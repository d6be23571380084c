#if os(Linux)
    import Teapot

    /// The response of an exchange, on the thread of the engine.
    extension CurlExchange {
        /// - Returns: Whether the exchange continues.
        func takeHeaderLine(_ line: UnsafeRawBufferPointer, _ version: () -> String) -> Bool {
            guard failure == nil else { return false }
            do throws(URLError) {
                switch try header.take(line, of: url, version) {
                case .more: break
                case .informational(let status):
                    originState?.movement.move()
                    if status == 100, body.proceed() { engine.continueLater(self) }
                    receive?(.sent(0))
                case .response(let head, let connection):
                    originState?.movement.move()
                    hasResponse = true
                    codings = head.field("Content-Encoding")
                    let mayBePaused = body.mayWait
                    var mayAnswerEarly = mayBePaused
                    handle?.didRespond(isShared: connection == .shared)
                    // The connection leads to a server that does not answer for the origin (RFC 9110, section 15.5.20).
                    if head.status == 421 { handle?.closeConnection() }
                    switch connection {
                    case .single: break
                    case .shared:
                        if let originState { engine.shareConnections(of: originState) }
                        mayAnswerEarly = !body.isEmpty
                    case .closed: handle?.closeConnection()
                    }
                    if mayAnswerEarly {
                        let hasNoBody = [204, 304].contains(head.status)
                        bytesLeft = hasNoBody ? 0 : head.field("Content-Length").flatMap { Int($0) }
                        if bytesLeft != 0, head.field("Transfer-Encoding")?.lowercased().contains("chunked") == true {
                            bytesLeft = nil
                            chunks = ChunkDecoder()
                            handle?.keepChunks()
                        }
                    }
                    if mayBePaused, bytesLeft == nil, chunks == nil { engine.watch(self) }
                    // While libcurl waits for a piece of the request, it would not notice that no more pieces are needed.
                    if hasWholeResponse || mayBePaused { engine.continueLater(self) }
                    receive?(TransportEvent(.response(head)))
                }
                return true
            } catch {
                failure = error
                return false
            }
        }

        /// - Returns: Whether the exchange continues.
        func takeBody(_ data: Data) -> Bool {
            guard hasResponse else {
                failure = URLError.curl(.badServerResponse, "a body was received with a status that cannot have one")
                return false
            }
            originState?.movement.move()
            let data = chunks?.decode(data) ?? data
            if chunks?.isComplete == true { bytesLeft = 0 }
            bytesLeft? -= data.count
            if hasWholeResponse { engine.continueLater(self) }
            do throws(URLError) {
                if let codings {
                    self.codings = nil
                    let own = request.value(forHTTPHeaderField: "Accept-Encoding")
                    decoder = try BodyDecoder(codings, canInflate: engine.library.canDecode, acceptedByCaller: own)
                    // An empty piece says that there is a body, which may have no bytes when it is decoded.
                    if !data.isEmpty { receive?(.data(Data())) }
                }
            } catch {
                failure = error
                return false
            }
            guard !data.isEmpty else { return true }
            guard let decoder else {
                receive?(.data(data))
                return true
            }
            let isWaiting = isUndecoded
            decoder.add(data)
            return isWaiting || decode()
        }

        /// Whether all of the response has arrived, perhaps before the server has taken all of the request (RFC 9113, section 8.1).
        var hasWholeResponse: Bool { bytesLeft.map { $0 <= 0 } ?? false }

        /// Whether some of the body that was received is not decoded yet.
        var isUndecoded: Bool { failure == nil && decoder?.hasInput == true }

        /// Whether more of the body should wait in libcurl.
        var mustPause: Bool {
            readiness == .paused || failure == nil && (decoder?.inputLength ?? 0) > Self.maximumInput
        }

        /// The number of bytes that may wait to be decoded: ``LibcurlFault/lostWhileHeld``.
        private static let maximumInput = 1 << 16

        /// Decodes and reports some of the body that was received. The rest waits for the next turn.
        /// - Returns: Whether the exchange continues.
        func decode() -> Bool {
            guard let decoder else { return true }
            var work = 0
            do throws(URLError) {
                while decoder.hasInput, work < Self.maximumWork, readiness == .yes {
                    let next = try decoder.next()
                    work += next.work
                    if !next.piece.isEmpty { receive?(.data(next.piece)) }
                }
            } catch {
                failure = error
                return false
            }
            if isUndecoded {
                if readiness == .yes { engine.continueLater(self) } else { isHeldBack = true }
            }
            return true
        }

        /// The number of decoded bytes in one turn of the engine.
        private static let maximumWork = 1 << 18

        /// The body has ended.
        func endBody() {
            guard failure == nil else { return }
            if let bytesLeft, bytesLeft > 0 {
                failure = URLError.curl(.networkConnectionLost, "\(bytesLeft) bytes of the body are missing")
            } else if decoder?.isComplete == false {
                failure = URLError.curl(.cannotDecodeContentData, "the compressed body is cut off")
            }
        }
    }
#endif
