import Teapot

/// A transfer from or to the embedded server, in a process of its own.
struct TransferJob: Sendable {
    enum Direction: String {
        case download, upload
    }

    let direction: Direction
    let baseURL: URL
    /// The size in bytes.
    let size: Int
    /// The file that is written or sent.
    let file: URL
    /// Whether a download continues an earlier one, and keeps its part if it is interrupted.
    let resumes: Bool

    /// The arguments that start a process for this job.
    var arguments: [String] {
        ["transfer", direction.rawValue, "--base-url", baseURL.absoluteString, "--size", "\(size)"]
            + ["--file", file.path, "--resumes", "\(resumes)"]
    }
}

extension TransferJob {
    /// Reads ``arguments``; `nil` if they are not those of a job.
    init?(_ arguments: [String]) {
        guard arguments.count > 1, arguments[0] == "transfer" else { return nil }
        guard let direction = Direction(rawValue: arguments[1]), let options = Options(arguments.dropFirst(2)),
            let baseURL = options.url("base-url"), let size = options["size"].flatMap({ Int($0) }),
            let file = options["file"], let resumes = options["resumes"].flatMap({ Bool($0) })
        else { return nil }
        self.init(
            direction: direction,
            baseURL: baseURL,
            size: size,
            file: URL(fileURLWithPath: file),
            resumes: resumes
        )
    }

    /// Runs the job, and reports on standard output. The end of standard input cancels it, at the latest when the parent process
    /// has ended.
    ///
    /// - Returns: The exit status.
    func run() async -> Int32 {
        let transfer = Task { try await perform() }
        Thread.detachNewThread {
            _ = try? FileHandle.standardInput.readToEnd()
            transfer.cancel()
        }
        do {
            let start = ContinuousClock.now
            let digest = try await transfer.value
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            TransferEvent.finished(seconds: seconds, peakMemory: PeakMemory.current, digest: digest).report()
            return 0
        } catch let error as TeapotError where error.type == .cancelled {
            TransferEvent.cancelled.report()
            return 1
        } catch {
            TransferEvent.failed((error as? TeapotError)?.debugDescription ?? "\(error)").report()
            return 1
        }
    }

    /// - Returns: The server's digest of the upload.
    private func perform() async throws(TeapotError) -> UploadDigest? {
        let transport = ObservedTransport { TransferEvent.response(status: $0.status).report() }
        let teapot = Teapot(baseURL: baseURL, transport: transport)
        let report = { @Sendable (progress: TransferProgress) in
            TransferEvent.progress(bytes: progress.bytes, expectedBytes: progress.expectedBytes).report()
        }
        switch direction {
        case .download:
            try await teapot.download("file/\(size)", to: file, resumes: resumes, progress: report)
            return nil
        case .upload:
            return try await teapot.upload("digest", fromFile: file, progress: report).decode()
        }
    }
}
