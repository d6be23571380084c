import Foundation
import LoopbackServer

/// Transfers of a large file, measured and interrupted step by step.
@MainActor
struct TransferTrials {
    /// The maximum memory of a transfer in bytes, whatever its size.
    static let memoryLimit = 60_000_000
    static let interruptions = 20

    let server: URL
    let directory: TemporaryDirectory
    /// The size of the file in bytes.
    let size: Int
    let seed: UInt64
    let checklist = Checklist(nameWidth: 20, patience: 300)

    func run() async {
        await checklist.step("download \(size / 1_000_000) MB") {
            let file = try directory.makeDirectory("download").appending(path: "large.bin")
            let (text, _) = try measure(job(.download, file))
            try expectContent(of: file)
            try FileManager.default.removeItem(at: file)
            return text + "\nthe file is byte-identical"
        }

        await checklist.step("upload \(size / 1_000_000) MB") {
            let file = directory.url.appending(path: "upload.bin")
            try writeContent(to: file)
            let (text, digest) = try measure(job(.upload, file))
            let expected = GeneratedFile.digest(0..<size)
            guard digest == UploadDigest(count: expected.count, digest: expected.text) else {
                throw Mismatch(expected: "the digest \(expected.text)", found: digest.map { "\($0)" } ?? "none")
            }
            try FileManager.default.removeItem(at: file)
            return text + "\nthe server has the same digest"
        }

        await checklist.step("interrupt and resume") {
            let place = try directory.makeDirectory("resume")
            return try interruptAndResume(place.appending(path: "large.bin"))
        }
    }

    func job(_ direction: TransferJob.Direction, _ file: URL, resumes: Bool = false) -> TransferJob {
        TransferJob(direction: direction, baseURL: server, size: size, file: file, resumes: resumes)
    }

    /// Runs a transfer in a process, shows its progress, and measures it.
    private func measure(_ job: TransferJob) throws -> (text: String, digest: UploadDigest?) {
        let bar = ProgressBar(job.direction.rawValue)
        let process = try TransferProcess(job)
        while let event = try process.nextEvent() {
            switch event {
            case .response: break
            case .progress(let bytes, let expectedBytes): bar.show(bytes: bytes, expectedBytes: expectedBytes)
            case .finished(let seconds, let peakMemory, let digest):
                guard let peakMemory, peakMemory < Self.memoryLimit else {
                    let found = peakMemory.map(ByteCount.text) ?? "nothing that tells"
                    throw Mismatch(expected: "less memory than \(ByteCount.text(Self.memoryLimit))", found: found)
                }
                let pace = Double(job.size) / 1e6 / max(seconds, 1e-3)
                let figures = String(format: "%.2f s, %.0f MB/s, peak memory ", seconds, pace)
                return ("\(bar.text)\n\(figures)\(ByteCount.text(peakMemory))", digest)
            case .cancelled, .failed: throw Mismatch(expected: "a transfer", found: "\(event)")
            }
        }
        throw Mismatch(expected: "a transfer", found: "a process that has ended")
    }
}
