import Foundation
import LoopbackServer

/// The server that is used: the benchmark's own, or another one that is there.
///
/// Its own is in a process of its own, so that what it does is not counted as the client's work.
struct BenchmarkServer {
    /// The URL below which the ``SampleFiles`` are.
    let baseURL: URL
    private let process: ChildProcess?

    init(_ arguments: Arguments) throws {
        process = try arguments.server == nil ? ChildProcess([Arguments.serve]) : nil
        guard let url = arguments.server ?? process.flatMap({ URL(string: $0.line) }), url.host() != nil else {
            throw CaseFailure("the server did not start")
        }
        baseURL = url
    }

    /// Ends the benchmark's own, and returns when it has ended.
    func stop() {
        process?.end()
    }
}

/// Runs the server until standard input is closed. Its URL is the first line of standard output.
func serve() throws {
    let server = try LoopbackServer(
        recordsRequests: false,
        stored: SampleFiles.answers(),
        fault: { $0.path == "/\(SampleFiles.retry)" ? SampleFiles.retryScript : SoakFault(path: $0.path)?.script }
    )
    FileHandle.standardOutput.write(Data("\(server.baseURL.absoluteString)\n".utf8))
    _ = try FileHandle.standardInput.readToEnd()
    server.stop()
}
