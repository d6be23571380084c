import Foundation

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(Data("\(Arguments.usage)\n".utf8))
    exit(2)
}

do {
    switch arguments.mode {
    case .comparison: try benchmark(arguments)
    case .soak: exit(try await soak(arguments) ? 0 : 1)
    case .mock: exit(try await mockLoad(arguments) ? 0 : 1)
    case .server: try serve()
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
