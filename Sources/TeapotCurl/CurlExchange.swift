#if os(Linux)
    internal import Teapot

    /// One exchange of a ``CurlTransport``.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written on the thread of the engine only; `wish` holds the
    /// request of other threads.
    final class CurlExchange: TransportTask, @unchecked Sendable {
        /// Whether more of the body can arrive.
        enum Readiness {
            case yes
            case heldBack
            case cancelled
        }

        let request: URLRequest
        let url: URL
        let origin: Origin
        /// Whether the request can be sent again on another connection.
        let isRepeatable: Bool
        private let engine: CurlEngine
        private let wish = Locked(Readiness.yes)

        /// In bytes; `nil` without a body.
        let bodySize: Int?
        /// The body, if it is a file: opened when the exchange begins, since it may have to wait.
        private var bodyFile: BodyFile?
        private var file: RegularFile?
        /// `nil` once the exchange is over.
        private var receive: (@Sendable (TransportEvent) -> Void)?
        /// The handle of the running exchange.
        var handle: CurlHandle?
        /// The error for which libcurl had to end the exchange.
        private(set) var failure: (any Error)?
        private(set) var hasResponse = false
        private var header = ResponseHeader()
        /// The number of bytes of the body that libcurl has taken this time, and the maximum so far.
        private var (position, sent) = (0, 0)

        init(
            _ request: URLRequest,
            _ details: ExchangeDetails,
            _ engine: CurlEngine,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) throws(URLError) {
            guard let url = request.url, let origin = Origin(url) else {
                throw .curl(.unsupportedURL, "the URL is not an http or https URL with a host")
            }
            (self.request, self.url, self.origin) = (request, url, origin)
            (isRepeatable, self.engine, self.receive) = (details.isIdempotent, engine, receive)
            bodyFile = details.bodyFile
            bodySize = details.bodyFile?.size ?? request.httpBody.flatMap { $0.isEmpty ? nil : $0.count }
        }

        // MARK: - The task, on any thread

        func cancel() {
            let before = wish.withLock { wish in
                defer { wish = .cancelled }
                return wish
            }
            if before != .cancelled { engine.cancel(self) }
        }

        func suspend() { wish.withLock { if $0 == .yes { $0 = .heldBack } } }

        func resume() {
            wish.withLock { if $0 == .heldBack { $0 = .yes } }
            engine.resume(self)
        }

        // MARK: - On the engine's thread

        var readiness: Readiness { wish.withLock { $0 } }

        /// - Returns: Whether the exchange continues.
        func takeHeaderLine(_ line: String, _ statusLine: () -> (status: Int, version: String)) -> Bool {
            do throws(URLError) {
                switch try header.take(line, of: url, statusLine) {
                case .more: break
                case .informational: receive?(.sent(0))
                case .response(let response, let isMultiplexed):
                    hasResponse = true
                    if isMultiplexed { engine.shareConnections(with: origin) }
                    receive?(.response(response))
                }
                return readiness != .cancelled
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
            receive?(.data(data))
            return true
        }

        /// Opens the file of the body.
        func begin() throws(TeapotError) {
            file = try bodyFile?.open()
        }

        /// - Returns: Some bytes; empty at the end; `nil` if they cannot be read.
        func nextPieceOfBody(upTo length: Int) -> Data? {
            guard let bodySize, readiness != .cancelled else { return nil }
            let count = min(length, bodySize - position)
            guard count > 0 else { return Data() }
            do throws(TeapotError) {
                let piece =
                    if let file { Data(try file.bytes(position..<position + count)) } else {
                        (request.httpBody ?? Data()).dropFirst(position).prefix(count)
                    }
                position += count
                // Bytes sent again are not new progress for the caller, but show activity.
                receive?(.sent(max(position - sent, 0)))
                sent = max(sent, position)
                return piece
            } catch {
                failure = error
                return nil
            }
        }

        /// - Returns: Whether the body has such a position.
        func moveBody(to position: Int) -> Bool {
            guard let bodySize, (0...bodySize).contains(position) else { return false }
            self.position = position
            return true
        }

        /// The connection was closed before a response arrived, and libcurl would send the request again.
        func refuseToRepeat() {
            failure = URLError.curl(
                .networkConnectionLost,
                "the connection was closed before a response arrived, and the request must not be sent twice"
            )
        }

        /// Reports the end, once.
        func finish(_ error: (any Error)?, _ timings: Teapot.Timings?) {
            guard let receive else { return }
            (self.receive, handle, bodyFile, file) = (nil, nil, nil, nil)
            if let timings { receive(.measured(timings)) }
            receive(.finished(error))
        }
    }
#endif
