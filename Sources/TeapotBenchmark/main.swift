import Foundation

// Not async: valgrind cannot run a main thread that async code has given up.
do {
    let arguments = try Arguments(CommandLine.arguments.dropFirst())
    switch arguments.mode {
    case .comparison: exit(try benchmark(arguments) ? 0 : 1)
    case .instructions: try instructions(arguments)
    case .list: listCases()
    case .help: print(Arguments.usage)
    case .files(let directory): try SampleFiles.write(to: directory)
    case .soak: exit(try TaskResult.wait { try await soak(arguments) } ? 0 : 1)
    case .growth: try growth(arguments)
    case .server: try serve()
    case .child(let work): try ChildProcess.be(work)
    }
} catch let problem as Arguments.Problem {
    FileHandle.standardError.write(Data("error: \(problem)\n\n\(Arguments.usage)\n".utf8))
    exit(2)
} catch {
    ProgressLine.clear()
    FileHandle.standardError.write(Data("error: \(error.explanation)\n".utf8))
    exit(1)
}
