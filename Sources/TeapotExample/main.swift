import Foundation
import LoopbackServer

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(Data("\(Arguments.usage)\n".utf8))
    exit(2)
}

/// The embedded server runs for as long as it is referred to.
let server = arguments.baseURL == nil ? try? LoopbackServer() : nil

guard let baseURL = arguments.baseURL ?? server?.baseURL else {
    FileHandle.standardError.write(Data("error: the embedded server cannot be started\n".utf8))
    exit(1)
}

print("Teapot talks to \(baseURL.absoluteString)\(server == nil ? "" : ", an embedded server").\n")
let walkthrough = Walkthrough(baseURL: baseURL)
walkthrough.run()
print("\n\(walkthrough.checklist.summary)")
exit(walkthrough.checklist.isPassed ? 0 : 1)
