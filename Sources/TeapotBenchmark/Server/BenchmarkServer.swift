import Foundation

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
