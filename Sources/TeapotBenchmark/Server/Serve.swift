import Foundation
import LoopbackServer

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
