import Foundation

/// What a process that does a transfer reports: lines of JSON on standard output.
enum TransferEvent: Codable {
    /// A response has begun.
    case response(status: Int)
    case progress(bytes: Int, expectedBytes: Int?)
    /// The transfer is done; memory is in bytes.
    case finished(seconds: Double, peakMemory: Int?, digest: UploadDigest?)
    case cancelled
    case failed(String)

    /// Reports it. What nobody reads any more ends the process.
    func report() {
        guard let line = try? JSONEncoder().encode(self) else { return }
        try? FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
    }

    /// Reads a line.
    init(line: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(TransferEvent.self, from: Data(line))
    }
}
