import Foundation

/// Cleans up when a signal ends the program.
final class SignalCleanup {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter cleanUp: Runs before the program ends, on a private queue.
    init(_ cleanUp: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // Otherwise the program would end before the source receives the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                cleanUp()
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Lets signals end the program at once again.
    func ignore() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }
}
