import Teapot

/// Finds mock files in a bundle, and in the resource bundles beside it.
///
/// On Linux `Bundle(for:)` is the build directory, which contains the resources of each target in its own
/// `Package_Target.resources`.
struct MockFiles: Sendable {
    let bundle: Bundle

    /// Reads a file.
    ///
    /// - Parameter name: The name of a JSON file without its extension, or of an image file with it.
    /// - Returns: The contents of the file, and their media type.
    /// - Throws: `missingMockFile`; `invalidMockFile` if it is neither a JSON object or array nor an image, or if several
    ///   targets have a file of this name with different contents.
    func file(named name: String) throws(TeapotError) -> (Data, mediaType: String?) {
        guard !name.isEmpty else { throw .missingMockFile("\"\".json", reason: "the file name is empty") }
        let jsonName = name + ".json"
        var candidates = contents(of: jsonName)
        let isJSON = !candidates.isEmpty
        if !isJSON { candidates = contents(of: name) }
        guard let (place, data) = candidates.first else {
            let places = ([bundle] + bundlesBeside).map(\.bundleURL.lastPathComponent).joined(separator: ", ")
            throw .missingMockFile(jsonName, reason: "neither \"\(jsonName)\" nor \"\(name)\" is in \(places)")
        }
        if let other = candidates.first(where: { !Data.areSame($0.data, data) }) {
            let places = [place, other.place].map(\.bundleURL.lastPathComponent)
            let reason = "different files of this name are in \(places.joined(separator: " and ")); use Bundle.module"
            throw .invalidMockFile(jsonName, reason: reason)
        }
        if isJSON {
            let json = JSONScanner.value(of: data)
            guard json is [Any] || json is [String: Any] else {
                throw .invalidMockFile(jsonName, reason: "not a JSON object or array")
            }
            return (data, "application/json")
        }
        guard let format = Teapot.ImageFormat(signatureOf: data) else {
            let reason =
                name.hasSuffix(".json") ? "name JSON files without .json" : "not an image of a known format"
            throw .invalidMockFile(jsonName, reason: reason)
        }
        return (data, format.mediaType)
    }

    // It would otherwise be twice in the method above.
    @inline(never)
    private func contents(of filename: String) -> [(place: Bundle, data: Data)] {
        let own = [bundle].compactMap { content(of: filename, in: $0) }
        let beside = own.isEmpty || isPlainFolder ? bundlesBeside.compactMap { content(of: filename, in: $0) } : []
        // A file in the bundle itself comes first. In the build directory it comes last: SwiftPM writes files of its own there,
        // such as `description.json`.
        return beside.isEmpty ? own : beside
    }

    private func content(of filename: String, in bundle: Bundle) -> (place: Bundle, data: Data)? {
        let folders = [bundle.resourceURL, bundle.bundleURL].compactMap(\.self)
        let file = folders.lazy.map { $0.appending(path: filename) }.first { Self.isFile($0) }
        return file.flatMap { try? Data(contentsOf: $0) }.map { (bundle, $0) }
    }

    private var isPlainFolder: Bool { bundle.bundleURL.pathExtension.isEmpty }

    private var bundlesBeside: [Bundle] {
        let folder = bundle.resourceURL ?? bundle.bundleURL
        let entries = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (entries ?? [])
            .filter { ["resources", "bundle"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
            .compactMap(Bundle.init(url:))
    }

    private static func isFile(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }
}
