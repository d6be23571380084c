import LoopbackServer
import Teapot
import TestSupport

/// What the calls of a soak share.
struct SoakClient: Sendable {
    /// How many calls are under way at once.
    static let width = 8
    /// How many connections to one server `URLSession` makes.
    static let connections = 6
    /// The size of the files that are sent and fetched, in bytes.
    static let fileSize = 60_000

    let teapot: Teapot
    /// A client of a server that is not there.
    let unreachable: Teapot
    let folder: TemporaryFolder
    /// The content of the files.
    let content = GeneratedFile.bytes(0..<fileSize)
    let digest = GeneratedFile.digest(0..<fileSize).text
    /// How many completions were called although their calls had been cancelled.
    let lateCompletions = Locked(0)

    init(server: URL) throws {
        let queue = DispatchQueue(label: "TeapotBenchmark.delivery")
        teapot = Teapot(baseURL: server, defaultDeliveryQueue: queue)
        var nobody = URLComponents(url: server, resolvingAgainstBaseURL: true)
        nobody?.port = 1
        guard let nobody = nobody?.url else { throw URLError(.badURL) }
        unreachable = Teapot(baseURL: nobody, defaultDeliveryQueue: queue)
        folder = try TemporaryFolder()
        try content.write(to: upload)
    }

    /// The file that is sent.
    var upload: URL { folder.file("upload") }
}
