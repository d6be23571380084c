import Teapot
import TestSupport

extension Case {
    /// An upload of a file.
    static let upload = Case(
        name: "upload",
        summary: "upload of a file of 20 MB; the baseline is an uploadTask",
        goal: 1.00,
        rounds: 21,
        requests: 3,
        isSlow: true,
        makers: Sides(
            baseline: { server in
                var request = URLRequest(url: server.appending(path: SampleFiles.post))
                request.httpMethod = "POST"
                // Never changed from here on.
                let upload = request
                let session = URLSession(configuration: .default)
                let folder = try folderWithFile()
                return .calls { completion in
                    session.uploadTask(with: upload, fromFile: folder.file("upload")) { _, response, error in
                        completion(Result { try PlainClient.check(response, error) }.failure)
                    }.resume()
                }.ending(session)
            },
            calls: { teapot in
                let folder = try folderWithFile()
                return .tasks {
                    try await teapot.upload(
                        Teapot.Request(.post, path: Teapot.Path(SampleFiles.post), body: .file(folder.file("upload")))
                    )
                }
            }
        )
    )

    private static func folderWithFile() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try Data(count: 20_000_000).write(to: folder.file("upload"))
        return folder
    }
}
