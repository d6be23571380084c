import Foundation

/// A process that does one transfer, so that its memory is its own, and that can be ended at any moment.
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

    /// It does not outlive what it is for.
    deinit {
        try? input.fileHandleForWriting.close()
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for the next event; `nil` when the process has ended.
    ///
    /// - Throws: When it is none.
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

    /// Ends it without a warning.
    func kill() {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until it has ended.
    ///
    /// - Returns: The events that were not read yet.
    /// - Throws: When there is something else.
    func end() throws -> [TransferEvent] {
        var events: [TransferEvent] = []
        while let event = try nextEvent() { events.append(event) }
        process.waitUntilExit()
        return events
    }
}
