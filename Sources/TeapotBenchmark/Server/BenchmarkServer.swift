import Foundation
import LoopbackServer

/// The server that is measured against: one of the benchmark's own, or another one that is there.
struct BenchmarkServer {
    /// The URL below which the ``SampleFiles`` are.
    let baseURL: URL
    private let process: ServerProcess?

    init(_ arguments: Arguments) throws {
        process = try arguments.server == nil ? ServerProcess() : nil
        guard let url = arguments.server ?? process?.baseURL else { throw URLError(.badURL) }
        baseURL = url
    }

    /// Ends the benchmark's own.
    func stop() {
        process?.stop()
    }
}

/// The server, in a process of its own, so that what it does is not counted as the client's work.
///
/// It ends when its standard input is closed: at the latest with this process, however that ends.
final class ServerProcess {
    let baseURL: URL
    private let process = Process()
    private let input = Pipe()

    /// Starts this executable again, as a server.
    ///
    /// - Throws: When that cannot be started, or does not say its port.
    init() throws {
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [Arguments.serve]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The first line, which comes in one piece, says the URL.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let url = URL(string: line.trimmingCharacters(in: .newlines)), url.port != nil else {
            throw CaseFailure("the server did not start")
        }
        baseURL = url
    }

    /// Ends the server, and returns when it has ended.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Runs the server until standard input is closed. Its URL is the first line of standard output.
func serve() throws {
    let server = try LoopbackServer(
        recordsRequests: false,
        stored: SampleFiles.answers(),
        fault: { SoakFault(path: $0.path)?.script }
    )
    FileHandle.standardOutput.write(Data("\(server.baseURL.absoluteString)\n".utf8))
    _ = try FileHandle.standardInput.readToEnd()
    server.stop()
}
