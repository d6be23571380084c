import Teapot

/// Finds mock files in a bundle, and in the resource bundles beside it.
///
/// On Linux `Bundle(for:)` is the build directory, which contains the resources of each target in its own
/// `Package_Target.resources`.
struct MockFiles: Sendable {
    let bundle: Bundle

    /// The contents of a JSON file, named without its extension, or of an image file, named with it, and their media
    /// type. Throws `missingMockFile`, and `invalidMockFile` if the file is neither a JSON object or array nor an
    /// image, or if several targets have a file of this name with different contents.
    func file(named name: String) throws(TeapotError) -> (Data, mediaType: String?) {
        guard !name.isEmpty else { throw .missingMockFile("\"\".json", reason: "the file name is empty") }
        let jsonName = name + ".json"
        var candidates = contents(of: jsonName)
        let isJSON = !candidates.isEmpty
        if !isJSON { candidates = contents(of: name) }
        guard let (place, data) = candidates.first else {
            var places = bundle.bundleURL.lastPathComponent
            for other in bundlesBeside { places += ", " + other.bundleURL.lastPathComponent }
            let reason = "neither \"" + jsonName + "\" nor \"" + name + "\" is in " + places
            throw .missingMockFile(jsonName, reason: reason)
        }
        for other in candidates where !Data.areSame(other.data, data) {
            let places = place.bundleURL.lastPathComponent + " and " + other.place.bundleURL.lastPathComponent
            let reason = "different files of this name are in " + places + "; use Bundle.module"
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

    @inline(never)
    private func contents(of filename: String) -> [(place: Bundle, data: Data)] {
        let own = content(of: filename, in: bundle)
        // A bundle with an extension is not the build directory.
        let isPlainFolder = bundle.bundleURL.pathExtension.isEmpty
        let beside = own == nil || isPlainFolder ? bundlesBeside.compactMap { content(of: filename, in: $0) } : []
        // A file in the bundle itself comes first. In the build directory it comes last, since SwiftPM writes files of its own there,
        // such as `description.json`.
        return beside.isEmpty ? own.map { [$0] } ?? [] : beside
    }

    private func content(of filename: String, in bundle: Bundle) -> (place: Bundle, data: Data)? {
        for folder in [bundle.resourceURL, bundle.bundleURL] {
            guard let file = folder?.appending(path: filename), Self.isFile(file) else { continue }
            return (try? Data(contentsOf: file)).map { (bundle, $0) }
        }
        return nil
    }

    private var bundlesBeside: [Bundle] {
        let folder = bundle.resourceURL ?? bundle.bundleURL
        let entries = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var paths: [String: String] = [:]
        for entry in entries ?? [] where ["resources", "bundle"].contains(entry.pathExtension) {
            paths[entry.path] = ""
        }
        return paths.sortedFields.compactMap { Bundle(path: $0.name) }
    }

    private static func isFile(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }
}
