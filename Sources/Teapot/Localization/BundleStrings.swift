import Foundation

/// The strings files of one bundle, and the language of each.
///
/// Directories are listed here instead of asking `Bundle`: on Linux, `Bundle` ignores the user's language, and SwiftPM turns
/// `zh-Hans.lproj` into `zh-hans.lproj`.
struct BundleStrings: Sendable {
    private static let filename = "Localizable.strings"
    private static let bundles = BoundedCache<URL, BundleStrings>(capacity: 16)
    private static let tables = BoundedCache<URL, StringsTable?>(capacity: 64)

    /// The files by the normalised name of their language.
    private let localized: [String: [URL]]
    private let unlocalized: URL

    /// The strings files of a bundle, found once and then cached.
    static func of(_ bundle: Bundle) -> BundleStrings {
        let directory = bundle.resourceURL ?? bundle.bundleURL
        return bundles.value(for: directory) { BundleStrings(directory: directory) }
    }

    private init(directory: URL) {
        var localized: [String: [URL]] = [:]
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted() {
            let project = directory.appendingPathComponent(name)
            guard project.pathExtension.lowercased() == "lproj" else { continue }
            let language = Self.normalized(project.deletingPathExtension().lastPathComponent)
            localized[language, default: []].append(project.appendingPathComponent(Self.filename))
        }
        self.localized = localized
        unlocalized = directory.appendingPathComponent(Self.filename)
    }

    /// The text for one of the keys, the best first, in the first language that has one, otherwise in English.
    ///
    /// English is `en.lproj`, then `Base.lproj`, then a file outside any language.
    func template(for keys: [String], languages: [String]) -> String? {
        let files = (languages + ["en", "base"]).flatMap { localized[Self.normalized($0)] ?? [] } + [unlocalized]
        for file in files {
            let table = Self.tables.value(for: file) { (try? Data(contentsOf: file)).flatMap(StringsTable.init(data:)) }
            if let template = keys.lazy.compactMap({ table?[$0] }).first { return template }
        }
        return nil
    }

    private static func normalized(_ language: String) -> String {
        language.lowercased().replacingOccurrences(of: "_", with: "-")
    }
}

/// The texts of one strings file for the keys of Teapot and MockTeapot.
///
/// Other keys are not kept: the file may contain all texts of an app.
struct StringsTable: Sendable {
    private let templates: [String: String]

    /// Parses the contents of a strings file.
    init?(data: Data) {
        guard !data.isEmpty,
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let entries = list as? [String: Any]
        else { return nil }

        templates = entries.reduce(into: [:]) { templates, entry in
            guard entry.key.hasPrefix("Teapot:") || entry.key.hasPrefix("MockTeapot:") else { return }
            // An entry whose value is its key was never translated.
            guard let template = entry.value as? String, !template.isEmpty, template != entry.key else { return }
            templates[entry.key] = template
        }
    }

    /// The text for a key, never empty and never the key itself; nil if the file has no such text.
    subscript(key: String) -> String? { templates[key] }
}
