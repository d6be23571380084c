import Teapot

/// One transfer, done by a process of its own: the file comes from the embedded server, or goes there.
struct TransferJob: Sendable {
    enum Direction: String {
        case download, upload
    }

    let direction: Direction
    let baseURL: URL
    /// In bytes.
    let size: Int
    /// The file that is written or sent.
    let file: URL
    /// Whether a download goes on with what an earlier one has left, and leaves what it got.
    let resumes: Bool

    /// The arguments that a process does this for.
    var arguments: [String] {
        ["transfer", direction.rawValue, "--base-url", baseURL.absoluteString, "--size", "\(size)"]
            + ["--file", file.path, "--resumes", "\(resumes)"]
    }
}

extension TransferJob {
    /// Reads ``arguments``; `nil` when they are others.
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

    /// Does it, and reports on standard output. The end of standard input cancels it: at the latest when the process that has
    /// started this one is gone.
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

    /// - Returns: What the server says of an upload.
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
