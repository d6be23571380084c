import Foundation
import LoopbackServer
import Teapot
import TestSupport

/// A transport that reports what it was told to, from a thread of its own.
final class ScheduledTransport: Transport {
    /// The events of each hop: some redirects, and then one answer.
    struct Schedule: Sendable {
        fileprivate let redirects: Int
        fileprivate let status: Int?
        fileprivate let pieces: Int
        fileprivate let breaksOff: Bool
        /// Microseconds between two events.
        fileprivate let pace: Int

        init(_ generator: inout SeededGenerator) {
            redirects = generator.pick([0, 0, 1, 3, 11])
            status = generator.pick([200, 200, 200, 204, 404, nil])
            pieces = generator.number(0...4)
            breaksOff = generator.oneIn(5)
            pace = generator.pick([0, 0, 20, 200])
        }

        /// About how long all of it takes, in microseconds.
        var duration: Int { (redirects * 2 + pieces + 2) * (pace + 20) }

        /// Whether a call that is neither cancelled nor suspended may end like this.
        func mayEnd(with type: TeapotError.ErrorType?) -> Bool {
            switch type {
            case nil: redirects <= 10 && !breaksOff && (200...299).contains(status ?? 0)
            case .noResponse: redirects <= 10 && status == nil
            case .dataTaskError: redirects <= 10 && breaksOff && status != nil
            case .invalidResponseStatus: redirects > 10 || !breaksOff && status == 404
            default: false
            }
        }

        fileprivate func events(of hop: Int, _ url: URL) -> [TransportEvent] {
            let isRedirect = hop < redirects
            let fields = isRedirect ? ["Location": "/\(hop)"] : [:]
            let response = (isRedirect ? 302 : status).flatMap {
                HTTPURLResponse(url: url, statusCode: $0, httpVersion: nil, headerFields: fields)
            }
            guard let response else { return [.finished(URLError(.cannotConnectToHost))] }
            let data = Array(repeating: TransportEvent.data(Data("[1]".utf8)), count: isRedirect ? 0 : pieces)
            let cause = !isRedirect && breaksOff ? URLError(.networkConnectionLost) : nil
            return [.response(response)] + data + [.finished(cause)]
        }
    }

    private let schedule: Schedule
    private let count = Locked(0)
    private let queue = DispatchQueue(label: "transport")
    private let group = DispatchGroup()

    init(_ schedule: Schedule) {
        self.schedule = schedule
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let hop = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard let url = request.urlRequest.url else { return nil }
        let events = schedule.events(of: hop, url)
        // Some at once, before the caller knows the task.
        if schedule.pace == 0, hop.isMultiple(of: 2) {
            for event in events { receive(event) }
        } else {
            group.enter()
            report(events[...], receive)
        }
        return UncancellableTask()
    }

    private func report(_ events: ArraySlice<TransportEvent>, _ receive: @escaping @Sendable (TransportEvent) -> Void) {
        guard let event = events.first else { return group.leave() }
        queue.asyncAfter(deadline: .now() + .microseconds(schedule.pace)) { [self] in
            receive(event)
            report(events.dropFirst(), receive)
        }
    }

    /// Waits until everything was reported.
    func end() async {
        await withCheckedContinuation { continuation in
            group.notify(queue: queue) { continuation.resume() }
        }
    }
}
