import Foundation
import LoopbackServer

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(Data("\(Arguments.usage)\n".utf8))
    exit(2)
}

/// The embedded server, unless the arguments name another. It stops when it is released.
let server = arguments.baseURL == nil ? try? LoopbackServer() : nil
guard let baseURL = arguments.baseURL ?? server?.baseURL else {
    FileHandle.standardError.write(Data("error: the embedded server cannot be started\n".utf8))
    exit(1)
}
let note = server == nil ? "" : ", an embedded server that echoes requests"
print("Teapot talks to \(baseURL.absoluteString)\(note).\n")

let walkthrough = Walkthrough(baseURL: baseURL, showsCode: !arguments.runsAll)
await walkthrough.run()
exit(walkthrough.checklist.isPassed ? 0 : 1)
