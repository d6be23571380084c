public import TeapotFoundation

/// A transport to servers, over one `URLSession` of its own.
///
/// The session is made with the first exchange, since that takes more time than making the client, and three descriptors. Its delegate
/// runs on a serial private queue that waits only for files to be written. The session ends with the transport, which lives at least as
/// long as its last exchange. On Linux a session that has used https is kept for later transports with the same settings, because
/// releasing it can end the process.
public final class URLSessionTransport: Transport {
    private let platform: PlatformTransport

    /// Makes a transport.
    ///
    /// - Parameter configuration: The session's configuration, copied; `nil` for one that keeps nothing on disk. Its cookies,
    ///   credentials and header fields are handled by ``Teapot/Teapot``, not by the session. On Linux a `urlCache` is ignored,
    ///   since a cancelled request can then end the process.
    public init(configuration: URLSessionConfiguration? = nil) { platform = PlatformTransport(.checked(configuration)) }

    #if !canImport(FoundationNetworking)
        /// Answers a challenge of TLS: whether to trust a server, or with which certificate of the client.
        public typealias Challenge =
            @Sendable (URLAuthenticationChallenge) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

        /// Makes a transport whose servers your code judges, on Apple platforms: see <doc:ChoosingATransport#Pin-a-key>.
        ///
        /// - Parameters:
        ///   - configuration: As in ``init(configuration:)``.
        ///   - challenge: Called for the certificate of a server (`NSURLAuthenticationMethodServerTrust`), and if a server asks for one of
        ///     the client (`NSURLAuthenticationMethodClientCertificate`), on no thread in particular. The connection waits for the answer,
        ///     while the timeout of the call runs. `(.performDefaultHandling, nil)` lets the system decide. If it cancels the challenge,
        ///     nothing is sent, and the call fails with `noResponse`, caused by `URLError.serverCertificateUntrusted` or
        ///     `URLError.clientCertificateRejected`; another call that waited for the connection, by `URLError.secureConnectionFailed`.
        public init(configuration: URLSessionConfiguration? = nil, challenge: @escaping Challenge) {
            platform = PlatformTransport(.checked(configuration), challenge)
        }
    #endif

    /// Starts one exchange. Events come on the session's private queue.
    public func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> (
        any TransportTask
    )? {
        guard let pieces = request.bodyPieces else { return platform.start(request, receive: receive) }
        do throws(TeapotError) {
            // A stream that waits for pieces would block the queue that all sessions of FoundationNetworking share.
            let file = try TemporaryFile()
            let handle = try file.open()
            let write = { @Sendable (piece: Data) in
                try TeapotError.naming(file.url) { try handle.write(contentsOf: piece) }
            }
            return CollectingTask(pieces, of: request, receive, add: write) { request in
                request.file = try BodyFile(file.url, owner: file)
                return self.platform.start(request, receive: receive)
            }
        } catch {
            receive(.finished(error))
            return nil
        }
    }
}
