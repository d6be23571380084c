import Foundation

/// Cleans up when a signal ends the program.
final class SignalCleanup {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter cleanUp: What is done before the program ends, on a private queue.
    init(_ cleanUp: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // Or the program would end before the source hears of it.
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

    /// Goes back to the program's being ended at once.
    func ignore() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }
}
