import Teapot
import TestSupport

extension Case {
    /// A download to a file, which replaces the one before.
    static let download = Case(
        name: "download",
        summary: "download of 100 MB to a file; the baseline is a downloadTask whose file is moved",
        goal: 1.00,
        peakMemoryGoal: 40_000_000,
        rounds: 61,
        requests: 1,
        isSlow: true,
        makers: Sides(
            baseline: { server in
                let url = server.appending(path: SampleFiles.download)
                let session = URLSession(configuration: .default)
                let folder = try TemporaryFolder()
                return .calls { completion in
                    session.downloadTask(with: url) { file, response, error in
                        completion(Result { try keep(file, response, error, as: folder.file("download")) }.failure)
                    }.resume()
                }.ending(session)
            },
            calls: { teapot in
                let folder = try TemporaryFolder()
                return .tasks {
                    let file = folder.file("download")
                    try await teapot.download(
                        Teapot.Request(path: Teapot.Path(SampleFiles.download)),
                        to: file,
                        replacesExisting: true
                    )
                    try checkSize(of: file)
                }
            }
        )
    )

    private static func keep(_ file: URL?, _ response: URLResponse?, _ error: (any Error)?, as place: URL) throws {
        try PlainClient.check(response, error)
        guard let file else { throw PlainClient.Failure.noResponse }
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        try FileManager.default.moveItem(at: file, to: place)
        try checkSize(of: place)
    }

    private static func checkSize(of file: URL) throws {
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        guard size == SampleFiles.downloadSize else {
            throw CaseFailure("\(size ?? 0) bytes were downloaded instead of \(SampleFiles.downloadSize)")
        }
    }
}
