internal import Foundation

/// The strings files of one bundle, and in which language each one is.
///
/// Directories are listed and names compared here, not asked for by `Bundle`: on Linux `Bundle` knows nothing of the
/// user's language, and SwiftPM turns `zh-Hans.lproj` into `zh-hans.lproj`.
struct BundleStrings: Sendable {
    private static let filename = "Localizable.strings"
    private static let bundles = BoundedCache<URL, BundleStrings>(capacity: 16)
    private static let tables = BoundedCache<URL, StringsTable?>(capacity: 64)

    /// The files by the normalised name of their language.
    private let localized: [String: [URL]]
    private let unlocalized: URL

    /// The strings files of a bundle. They are looked for once, then remembered.
    static func of(_ bundle: Bundle) -> BundleStrings {
        let directory = bundle.resourceURL ?? bundle.bundleURL
        return bundles.value(for: directory) { BundleStrings(directory: directory) }
    }

    private init(directory: URL) {
        let children = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        let projects = (children ?? []).filter { $0.pathExtension.lowercased() == "lproj" }
        localized = Dictionary(grouping: projects.sorted { $0.path < $1.path }) { project in
            Self.normalized(project.deletingPathExtension().lastPathComponent)
        }
        .mapValues { $0.map { $0.appendingPathComponent(Self.filename) } }
        unlocalized = directory.appendingPathComponent(Self.filename)
    }

    /// The text for a key in the first of the languages that has it, else in English.
    ///
    /// English is `en.lproj`, then `Base.lproj`, then a file outside any language.
    func template(for key: String, languages: [String]) -> String? {
        let files = (languages + ["en", "base"]).flatMap { localized[Self.normalized($0)] ?? [] } + [unlocalized]
        for file in files {
            let table = Self.tables.value(for: file) { StringsTable(contentsOf: file) }
            if let template = table?[key] { return template }
        }
        return nil
    }

    private static func normalized(_ language: String) -> String {
        language.lowercased().replacingOccurrences(of: "_", with: "-")
    }
}
