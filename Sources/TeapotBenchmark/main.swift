import Foundation

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(Data("\(Arguments.usage)\n".utf8))
    exit(2)
}

do {
    if arguments.isServer {
        try serve()
    } else {
        try benchmark(arguments)
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
