import Foundation

/// A process for one transfer, so that its memory can be measured, and it can be ended at any time.
final class TransferProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts this executable again.
    init(_ job: TransferJob) throws {
        process.executableURL = Bundle.main.executableURL
        process.arguments = job.arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Cancels the transfer, which ends the process.
    deinit {
        try? input.fileHandleForWriting.close()
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for the next event; `nil` when the process has ended.
    ///
    /// - Throws: An error if the line is not an event.
    func nextEvent() throws -> TransferEvent? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return try TransferEvent(line: unread[..<end])
            }
            let data = output.fileHandleForReading.availableData
            // A process that was killed may have left half a line.
            guard !data.isEmpty else { return nil }
            unread += data
        }
    }

    /// Asks it to cancel the transfer.
    func cancel() {
        try? input.fileHandleForWriting.close()
    }

    /// Kills it.
    func kill() {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until it has ended.
    ///
    /// - Returns: The events that were not read yet.
    /// - Throws: An error if a line is not an event.
    func end() throws -> [TransferEvent] {
        var events: [TransferEvent] = []
        while let event = try nextEvent() { events.append(event) }
        process.waitUntilExit()
        return events
    }
}
