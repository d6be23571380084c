import Foundation

/// The strings files of one bundle, and the language of each.
/// It lists directories: `Bundle` on Linux ignores the user's language, and SwiftPM makes `zh-hans` of `zh-Hans.lproj`.
final class BundleStrings: Sendable {
    /// The strings of the bundles so far. A full list is emptied, which is enough for an app's few bundles.
    private static let all = Locked<[(directory: URL, strings: BundleStrings)]>([])

    /// The directory of each strings file, and the normalized name of its language; empty for a file outside any language.
    private let files: [(language: String, directory: URL)]
    /// The texts of each file. A file is read when it is needed first; two threads may both read it.
    private let texts: Locked<[[String: String]?]>

    static func of(_ bundle: Bundle) -> BundleStrings {
        let directory = bundle.resourceURL ?? bundle.bundleURL
        if let known = all.withLock({ all in all.first { $0.directory == directory } }) { return known.strings }
        let strings = BundleStrings(directory: directory)
        all.withLock { all in
            if all.count >= 16 { all = [] }
            all.append((directory, strings))
        }
        return strings
    }

    private init(directory: URL) {
        var files: [(language: String, directory: URL)] = []
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names.sorted(byPlace: { names[$0] < names[$1] }) {
            let project = directory.appendingPathComponent(name)
            guard project.pathExtension.lowercased() == "lproj" else { continue }
            files.append((Self.normalized(project.deletingPathExtension().lastPathComponent), project))
        }
        files.append(("", directory))
        texts = Locked(Array(repeating: nil, count: files.count))
        self.files = files
    }

    /// The text for one of the keys, the best first, in the first language that has one, otherwise in English: from `en.lproj`, then
    /// `Base.lproj`, then a file outside any language.
    func template(for keys: [String], languages: [String]) -> String? {
        for language in languages + ["en", "base", ""] {
            let name = Self.normalized(language)
            for index in files.indices where files[index].language == name {
                let texts = texts(ofFileAt: index)
                for key in keys { if let template = texts[key] { return template } }
            }
        }
        return nil
    }

    private func texts(ofFileAt index: Int) -> [String: String] {
        if let known = texts.withLock({ $0[index] }) { return known }
        let new = Self.texts(in: try? Data(contentsOf: files[index].directory.appending(path: "Localizable.strings")))
        texts.withLock { $0[index] = new }
        return new
    }

    private static func normalized(_ language: String) -> String {
        language.lowercased().replacingOccurrences(of: "_", with: "-")
    }

    /// The texts of a strings file for the keys of Teapot and MockTeapot only, as the file may contain all texts of an app. No text
    /// is empty, or its own key. There is none if the file is missing or invalid.
    static func texts(in data: Data?) -> [String: String] {
        guard let data, !data.isEmpty,
            let entries = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { return [:] }
        var texts: [String: String] = [:]
        for (key, value) in entries where key.hasPrefix("Teapot:") || key.hasPrefix("MockTeapot:") {
            // An entry whose value is its key was never translated.
            if let text = value as? String, !text.isEmpty, text != key { texts[key] = text }
        }
        return texts
    }
}
