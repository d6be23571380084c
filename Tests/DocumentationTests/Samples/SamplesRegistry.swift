import Teapot

/// A client for a registry of containers, by the OCI distribution specification. `SamplesRunRegistryTests` runs it with mocks, and
/// `RegistryTests` with real registries.
struct RegistryClient: Sendable {
    struct Descriptor: Codable, Hashable, Sendable {
        var mediaType: String
        var digest: String
        var size: Int
    }

    struct Manifest: Codable, Hashable, Sendable {
        static let type = "application/vnd.oci.image.manifest.v1+json"
        var schemaVersion = 2
        var mediaType: String? = Self.type
        var config: Descriptor
        var layers: [Descriptor]
    }

    struct Token: Decodable, Sendable {
        enum CodingKeys: String, CodingKey {
            case token
            case expiresIn = "expires_in"
        }

        let token: String
        /// In seconds.
        let expiresIn: Double?
    }

    private struct Catalog: Decodable, Sendable { let repositories: [String] }
    private struct Tags: Decodable, Sendable { let tags: [String]? }

    struct AccessRefused: Error {}
    struct MissingField: Error { let name: String }

    private let registry: Teapot

    /// - Parameters:
    ///   - registry: A client for `https://registry.example/v2`.
    ///   - tokens: A client for the token server that the registry names; `nil` if the registry takes passwords itself.
    ///   - user: The username and password.
    ///   - now: Returns the current time.
    init(_ registry: Teapot, tokens: Teapot?, user: Credential, now: @escaping @Sendable () -> Date = { Date() }) {
        self.registry = registry
        tokens?.plugins.append(user)
        //: RetriesAndCredentials 2
    }

    /// The names of the repositories.
    func repositories(pageSize: Int = 100) async throws -> [String] {
        let first = Teapot.Request(path: "_catalog", query: ["n": "\(pageSize)"])
        var names: [String] = []
        for try await page in registry.pages(first, as: Catalog.self) { names += page.value.repositories }
        return names
    }

    //: RegistryClient 2

    /// The manifest with a tag or a digest; `nil` if there is none.
    //: RegistryClient 3

    /// Uploads a manifest, and returns its digest.
    func put(_ manifest: Manifest, as tag: String, in repository: String) async throws -> String {
        let type = ["Content-Type": Manifest.type]
        let response = try await registry.put(
            Self.path(repository, "manifests", tag),
            body: manifest,
            headerFields: type
        )
        return try Self.field("Docker-Content-Digest", of: response)
    }

    func blob(_ digest: String, in repository: String) async throws -> Teapot.ResponseBytes {
        try await registry.bytes(Teapot.Request(path: Self.path(repository, "blobs", digest)))
    }

    /// Uploads a blob. The first request gets the token for all three.
    //: RegistryClient 4

    func deleteManifest(_ digest: String, in repository: String) async throws {
        try await registry.delete(Self.path(repository, "manifests", digest))
    }

    func deleteBlob(_ digest: String, in repository: String) async throws {
        try await registry.delete(Self.path(repository, "blobs", digest))
    }

    //: RegistryClient 1

    private static func field(_ name: String, of response: Teapot.Response) throws -> String {
        guard let value = response.headerFields[name] else { throw MissingField(name: name) }
        return value
    }
}
