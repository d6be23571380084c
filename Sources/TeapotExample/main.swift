import Foundation
import LoopbackServer

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(Data("\(Arguments.usage)\n".utf8))
    exit(2)
}

switch arguments {
case .walkthrough(let baseURL, let runsAll): exit(await walk(baseURL: baseURL, runsAll: runsAll))
case .transfers(let size, let seed): exit(await measureTransfers(size: size, seed: seed))
case .transfer(let job): exit(await job.run())
}

/// - Returns: The exit status.
@MainActor
func walk(baseURL: URL?, runsAll: Bool) async -> Int32 {
    /// The embedded server stops when it is released.
    let server = baseURL == nil ? try? LoopbackServer() : nil
    defer { server?.stop() }
    guard let baseURL = baseURL ?? server?.baseURL else { return cannotStart() }

    let note = server == nil ? "" : ", an embedded server that echoes requests"
    Terminal.print("Teapot talks to \(baseURL.absoluteString)\(note).\n")
    let walkthrough = Walkthrough(baseURL: baseURL, runsAll: runsAll)
    await walkthrough.run()
    Terminal.print("\(runsAll ? "\n" : "")\(walkthrough.checklist.summary)")
    if !runsAll { Terminal.print("\n\(Walkthrough.next)") }
    return walkthrough.checklist.isPassed ? 0 : 1
}

/// - Returns: The exit status.
@MainActor
func measureTransfers(size: Int, seed: UInt64) async -> Int32 {
    guard let server = try? LoopbackServer(recordsRequests: false), let directory = try? TemporaryDirectory() else {
        return cannotStart()
    }
    defer {
        directory.remove()
        server.stop()
    }
    let interruption = SignalCleanup { directory.remove() }
    defer { interruption.ignore() }

    Terminal.print(
        "Teapot talks to \(server.baseURL.absoluteString), an embedded server; seed \(seed).\n"
            + "Each transfer is a process of its own.\n"
    )
    let trials = TransferTrials(server: server.baseURL, directory: directory, size: size, seed: seed)
    await trials.run()
    Terminal.print("\n\(trials.checklist.summary)")
    return trials.checklist.isPassed ? 0 : 1
}

func cannotStart() -> Int32 {
    FileHandle.standardError.write(Data("error: the embedded server cannot be started\n".utf8))
    return 1
}
