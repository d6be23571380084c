import Foundation

/// A report of a process that transfers a file: a line of JSON on standard output.
enum TransferEvent: Codable {
    /// A response has begun.
    case response(status: Int)
    case progress(bytes: Int, expectedBytes: Int?)
    /// The transfer is done; memory is in bytes.
    case finished(seconds: Double, peakMemory: Int?, digest: UploadDigest?)
    case cancelled
    case failed(String)

    /// Writes the event. If nobody reads it, the process ends.
    func report() {
        guard let line = try? JSONEncoder().encode(self) else { return }
        try? FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
    }

    /// Reads a line.
    init(line: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(TransferEvent.self, from: Data(line))
    }
}
