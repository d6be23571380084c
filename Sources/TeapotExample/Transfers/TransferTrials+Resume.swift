import Foundation
import LoopbackServer

extension TransferTrials {
    private struct Tally {
        var killed = 0
        var cancelled = 0
        /// Downloads that found a part, by the server's answer.
        var resumes = 0
        var continued = 0
        var startedAnew = 0
        /// Downloads that were complete before they could be interrupted, and were repeated.
        var done = 0

        var interruptions: Int { killed + cancelled }
    }

    /// The maximum number of seconds for a part of a download.
    private static let patience: TimeInterval = 60

    /// Interrupts a download at random points, by killing its process or cancelling it in turn, and resumes it each time, until
    /// the file is complete.
    func interruptAndResume(_ file: URL) throws -> String {
        let start = ContinuousClock.now
        let bar = ProgressBar("interrupt and resume")
        var generator = SeededGenerator(seed: seed)
        var tally = Tally()
        // A complete download does not count, but there must not be many.
        for _ in 0..<3 * Self.interruptions where tally.interruptions < Self.interruptions {
            let part = size(of: file.appendingPathExtension("partial"))
            // Spread over the rest of the file.
            let step = 2 * (size - part) / (Self.interruptions - tally.interruptions + 1)
            let point = part + Int.random(in: 1...max(step, 1), using: &generator)
            try interrupt(file, at: point, having: part, &tally)
            let reached = size(of: file.appendingPathExtension("partial"))
            bar.show(bytes: reached, expectedBytes: size)
        }
        try expect(Self.interruptions, found: tally.interruptions)
        try complete(file, &tally)

        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let text = """
            \(tally.killed) times killed, \(tally.cancelled) times cancelled, at random points, \
            in \(String(format: "%.2f", seconds)) s
            \(tally.continued) of \(tally.resumes) resumes continued a part (206), \(tally.startedAnew) started anew, \
            \(tally.done) downloads were done before
            """
        guard tally.continued == tally.resumes, tally.resumes > 0 else {
            throw Mismatch(expected: "parts to be continued", found: text)
        }
        return text + "\nthe file is byte-identical, and nothing is left beside it"
    }

    private func interrupt(_ file: URL, at point: Int, having part: Int, _ tally: inout Tally) throws {
        let partial = file.appendingPathExtension("partial")
        let process = try TransferProcess(job(.download, file, resumes: true))
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while process.isRunning, size(of: partial) < point {
            guard Date() < deadline else {
                process.kill()
                throw Mismatch(expected: "\(point) bytes within \(Int(Self.patience)) s", found: "\(size(of: partial))")
            }
            usleep(200)
        }
        let isKilled = tally.killed <= tally.cancelled
        isKilled ? process.kill() : process.cancel()
        let events = try process.end()
        try count(events, having: part, &tally)

        if FileManager.default.fileExists(atPath: file.path) {
            tally.done += 1
            try expectContent(of: file)
            try FileManager.default.removeItem(at: file)
        } else {
            let name = file.lastPathComponent
            try expectFiles(["\(name).partial", "\(name).partial.json"], in: file.deletingLastPathComponent())
            if isKilled { tally.killed += 1 } else { tally.cancelled += 1 }
        }
    }

    private func complete(_ file: URL, _ tally: inout Tally) throws {
        let part = size(of: file.appendingPathExtension("partial"))
        let events = try TransferProcess(job(.download, file, resumes: true)).end()
        try count(events, having: part, &tally)
        try expectContent(of: file)
        try expectFiles([file.lastPathComponent], in: file.deletingLastPathComponent())
    }

    private func count(_ events: [TransferEvent], having part: Int, _ tally: inout Tally) throws {
        if part > 0 { tally.resumes += 1 }
        for event in events {
            switch event {
            case .response(206) where part > 0: tally.continued += 1
            case .response(200) where part > 0: tally.startedAnew += 1
            case .response(200), .progress, .finished, .cancelled: break
            case .response, .failed: throw Mismatch(expected: "a download", found: "\(event)")
            }
        }
    }
}
