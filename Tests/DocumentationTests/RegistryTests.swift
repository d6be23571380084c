import Teapot
import TeapotCurl
import TestTraits
import Testing

#if os(Linux)
    /// The registry client with real registries, one with passwords and one with tokens, which `.ci/registry` starts.
    @Suite(.inTurn, .enabled(if: registryURLs != nil))
    struct RegistryTests {
        enum Setup: String, CaseIterable {
            case passwords, tokens, passwordsWithCurl, tokensWithCurl

            var hasTokens: Bool { self == .tokens || self == .tokensWithCurl }
        }

        /// A client, and what it sends.
        private struct Trial {
            let client: RegistryClient
            /// A name that no other test has.
            let repository = "tests/\(UUID().uuidString.lowercased())"
            let sent = Sent()
            let sentForTokens = Sent()

            init(_ setup: Setup, password: String = "secret") throws {
                let urls = try #require(registryURLs)
                let isCurl = setup == .passwordsWithCurl || setup == .tokensWithCurl
                let transport: any Transport = isCurl ? CurlTransport() : URLSessionTransport()
                let registry = Teapot(baseURL: setup.hasTokens ? urls.tokens : urls.passwords, transport: transport)
                let tokens = setup.hasTokens ? Teapot(baseURL: urls.tokenServer, transport: transport) : nil
                registry.plugins = [sent]
                tokens?.plugins = [sentForTokens]
                client = RegistryClient(
                    registry,
                    tokens: tokens,
                    user: .basic(username: "teapot", password: password)
                )
            }

            /// Uploads the blob in its pieces.
            func upload() async throws {
                try await client.upload(stream(Blob.pieces), digest: Blob.digest, to: repository)
            }

            /// Uploads the blob and a manifest with it.
            ///
            /// - Returns: The digest of the manifest.
            func push(_ tags: [String]) async throws -> String {
                try await upload()
                let blob = RegistryClient.Descriptor(
                    mediaType: "application/octet-stream",
                    digest: Blob.digest,
                    size: Blob.data.count
                )
                var digest = ""
                for tag in tags {
                    digest = try await client.put(.init(config: blob, layers: [blob]), as: tag, in: repository)
                }
                return digest
            }
        }

        private final class Sent: Teapot.Plugin {
            private let lines = Locked<[String]>([])

            var all: [String] { lines.withLock { $0 } }

            func willSend(_ request: Teapot.SentRequest) {
                let method = request.urlRequest.httpMethod ?? ""
                lines.withLock { $0.append(method) }
            }
        }

        private enum Blob {
            static let pieces = [Data(repeating: 0x74, count: 1_000_000), Data(repeating: 0x65, count: 500_000)]
            static let data = Data(pieces.joined())
            static let digest = "sha256:75e442feb0baf5053850cd39dd9a133d420842a1e2b487f7d0e0e560fc64f688"
            static let digestOfBraces = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        }

        @Test(arguments: Setup.allCases)
        func `a blob is pushed in pieces and pulled again`(_ setup: Setup) async throws {
            let trial = try Trial(setup)
            try await trial.upload()
            // Of these, only the first was sent twice.
            #expect(trial.sent.all == ["POST", "POST", "PATCH", "PUT"])
            var pulled = Data()
            for try await piece in try await trial.client.blob(Blob.digest, in: trial.repository) {
                pulled += piece
            }
            #expect(pulled == Blob.data)
        }

        @Test(arguments: Setup.allCases)
        func `a blob with another digest is refused`(_ setup: Setup) async throws {
            let trial = try Trial(setup)
            let error = await #expect(throws: TeapotError.self) {
                try await trial.client.upload(stream([Data("tea".utf8)]), digest: Blob.digest, to: trial.repository)
            }
            #expect(error?.responseStatus == 400)
            #expect(error?.text?.contains("DIGEST_INVALID") == true)
        }

        @Test(arguments: Setup.allCases)
        func `manifests are put, read, listed and deleted`(_ setup: Setup) async throws {
            let trial = try Trial(setup)
            let (client, repository) = (trial.client, trial.repository)
            let digest = try await trial.push(["1", "2", "3", "4", "5"])
            // These registries list all tags at once, whatever a query asks for.
            #expect(try await client.tags(of: repository, pageSize: 2).sorted() == ["1", "2", "3", "4", "5"])
            for reference in ["3", digest] {
                let manifest = try await client.manifest(reference, in: repository)
                #expect(manifest?.layers.map(\.digest) == [Blob.digest])
            }
            #expect(try await client.manifest("6", in: repository) == nil)
            try await client.deleteManifest(digest, in: repository)
            #expect(try await client.manifest("3", in: repository) == nil)
            try await client.deleteBlob(Blob.digest, in: repository)
            let error = await #expect(throws: TeapotError.self) {
                try await client.blob(Blob.digest, in: repository)
            }
            #expect(error?.responseStatus == 404)
        }

        @Test(arguments: Setup.allCases)
        func `repositories are read page by page`(_ setup: Setup) async throws {
            let trial = try Trial(setup)
            let names = (1...5).map { "\(trial.repository)/\($0)" }
            for name in names {
                try await trial.client.upload(stream([Data("{}".utf8)]), digest: Blob.digestOfBraces, to: name)
                let config = RegistryClient.Descriptor(
                    mediaType: "application/vnd.oci.image.config.v1+json",
                    digest: Blob.digestOfBraces,
                    size: 2
                )
                _ = try await trial.client.put(.init(config: config, layers: []), as: "latest", in: name)
            }
            let before = trial.sent.all.count
            let found = try await trial.client.repositories(pageSize: 2)
            #expect(found.filter { $0.hasPrefix(trial.repository) } == names)
            #expect(trial.sent.all.count - before >= 3)
        }

        @Test(arguments: Setup.allCases)
        func `a wrong password is an error that says so, after one attempt`(_ setup: Setup) async throws {
            let trial = try Trial(setup, password: "wrong")
            let error = await #expect(throws: TeapotError.self) { try await trial.client.tags(of: trial.repository) }
            #expect(error?.responseStatus == 401)
            #expect(error?.description.contains("wrong") == false)
            #expect(trial.sent.all.count == (setup.hasTokens ? 1 : 2))
            #expect(trial.sentForTokens.all.count == (setup.hasTokens ? 1 : 0))
        }
    }

    private func stream(_ pieces: [Data]) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
    }

    /// The registries and the token server; `nil` without them.
    private let registryURLs: (passwords: URL, tokens: URL, tokenServer: URL)? = {
        let names = ["TEAPOT_REGISTRY_URL", "TEAPOT_TOKEN_REGISTRY_URL", "TEAPOT_TOKEN_SERVER_URL"]
        let urls = names.compactMap { ProcessInfo.processInfo.environment[$0].flatMap(URL.init) }
        return urls.count == 3 ? (urls[0], urls[1], urls[2]) : nil
    }()
#endif
