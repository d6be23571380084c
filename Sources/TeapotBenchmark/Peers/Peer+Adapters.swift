import Foundation
import TestSupport

extension Peer {
    /// How a library makes a client of `url`, and gets the small object as a `User`.
    struct Adapter: Sendable {
        let client: String
        let call: String
    }

    /// The libraries that are known, by the names of their packages.
    static let adapters = [
        "Get": Adapter(
            client: "APIClient(baseURL: url)",
            call: #"try await client.send(Request<User>(path: "/\#(SampleFiles.small)")).value"#
        ),
        "Alamofire": Adapter(
            client: "Session()",
            call: """
                try await client.request(url.appendingPathComponent("\(SampleFiles.small)")).validate()
                        .serializingDecodable(User.self).value
                """
        ),
    ]

    /// Makes a package with a peer that uses a library.
    static func package(of name: String, at library: URL, calling adapter: Adapter) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(manifest(of: name, at: library), to: "Package.swift")
        try folder.write(program(of: name, calling: adapter), to: "main.swift")
        return folder
    }

    private static func manifest(of name: String, at library: URL) -> String {
        """
        // swift-tools-version: 5.9
        import PackageDescription

        let package = Package(
            name: "peer",
            platforms: [.macOS(.v13)],
            dependencies: [.package(name: "\(name)", path: \(library.path.debugDescription))],
            targets: [
                .executableTarget(name: "peer", dependencies: [.product(name: "\(name)", package: "\(name)")], path: ".")
            ]
        )
        """
    }

    private static func program(of name: String, calling adapter: Adapter) -> String {
        """
        import Foundation
        import \(name)

        struct User: Decodable, Sendable {
            let id: Int
            let name: String
            let email: String
            let isActive: Bool
            let roles: [String]
            let balance: Double
        }

        func processorTime() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        setvbuf(stdout, nil, _IOLBF, 0)
        guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[2]) else {
            print("async-decodable")
            exit(0)
        }
        let client = \(adapter.client)
        print("ready")
        while let line = readLine(), let count = Int(line) {
            let (start, processor) = (ContinuousClock.now, processorTime())
            for _ in 0..<count {
                _ = \(adapter.call)
            }
            print((ContinuousClock.now - start) / .seconds(1), processorTime() - processor)
        }
        """
    }
}
