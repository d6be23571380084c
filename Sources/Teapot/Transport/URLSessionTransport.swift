#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The transport that talks to servers, over one `URLSession` of its own.
///
/// The session is made with the first exchange, since it takes more time than all else that a client is made of, and three
/// descriptors. Its delegate runs on a serial private queue that waits for nothing but the writing of files. It ends when the
/// transport goes, which cannot be before the last exchange has ended.
public final class URLSessionTransport: Transport {
    private let configuration: URLSessionConfiguration
    private let session = Locked<URLSession?>(nil)
    private let delegate = SessionDelegate()

    /// Makes a transport.
    ///
    /// - Parameter configuration: What the session goes by, copied; `nil` for one that keeps nothing on disk. Cookies,
    ///   credentials and the header fields of the configuration are not the session's business but that of
    ///   ``Teapot/Teapot``. On Linux a `urlCache` is left out, since a cancelled request can then end the process.
    public init(configuration: URLSessionConfiguration? = nil) {
        self.configuration = .checked(configuration)
    }

    #if !canImport(FoundationNetworking)
        // On Linux a session whose delegate does not keep it goes by itself, with its descriptors, and sooner.
        deinit {
            session.withLock { $0 }?.finishTasksAndInvalidate()
        }
    #endif

    private var startedSession: URLSession {
        session.withLock { session in
            if let session { return session }
            let started = makeSession()
            session = started
            return started
        }
    }

    private func makeSession() -> URLSession {
        #if canImport(FoundationNetworking)
            let queue = DelegateQueue()
        #else
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.name = Self.queueName
        #endif
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Starts one exchange. Events come on the session's private queue.
    public func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        var request = request
        // URLSession counts in whole seconds, and while a task is suspended. The caller's clock does it better.
        request.timeoutInterval = Self.outOfTheWay
        let session = startedSession
        let task = bodyFile.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        delegate.add(task, sendsFile: bodyFile != nil, receive: receive)
        task.resume()
        return SessionTask(task: task, delegate: delegate, session: session)
    }

    /// The transport to wait for on this thread: itself, but where events of a transport come, one like it. Of any transport: its
    /// own events may be waiting for that one.
    var forBlocking: URLSessionTransport {
        Self.isEventUnderWay ? URLSessionTransport(configuration: configuration) : self
    }

    /// Whether this is called where events of a transport come.
    private static var isEventUnderWay: Bool {
        #if canImport(FoundationNetworking)
            DelegateQueue.isCurrent
        #else
            OperationQueue.current?.name == queueName
        #endif
    }

    #if !canImport(FoundationNetworking)
        private static let queueName = "Teapot.URLSessionTransport"
    #endif

    /// In seconds. FoundationNetworking traps from 1e16 on; from some 300 years on Dispatch takes a time for never, and does not
    /// wake a thread to arm the timers that FoundationNetworking makes for each piece of a response.
    #if canImport(FoundationNetworking)
        static let outOfTheWay: TimeInterval = 1e13
    #else
        static let outOfTheWay: TimeInterval = 1e9
    #endif
}
