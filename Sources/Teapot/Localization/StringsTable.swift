internal import Foundation

/// What one strings file says for the keys of Teapot and MockTeapot.
///
/// Other keys are not kept: the file may be an app's whole vocabulary.
package struct StringsTable: Sendable, Hashable {
    private let templates: [String: String]

    /// Parses the contents of a strings file.
    ///
    /// - Parameter data: A property list in UTF-8, or in UTF-16 with a byte order mark. Nil comes back when it does not parse
    ///   or is not a dictionary.
    package init?(data: Data) {
        guard
            !data.isEmpty,
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let entries = list as? [String: Any]
        else { return nil }

        templates = entries.reduce(into: [:]) { templates, entry in
            guard entry.key.hasPrefix("Teapot:") || entry.key.hasPrefix("MockTeapot:") else { return }
            // A key that is its own value was never translated.
            guard let template = entry.value as? String, !template.isEmpty, template != entry.key else { return }
            templates[entry.key] = template
        }
    }

    /// Parses a strings file.
    ///
    /// - Parameter url: The file. Nil comes back when it cannot be read or does not parse.
    package init?(contentsOf url: URL) {
        guard let data = try? Data(contentsOf: url) else { return nil }
        self.init(data: data)
    }

    /// The text for a key. It is never empty and never the key itself; nil when the file has no such text.
    package subscript(key: String) -> String? {
        templates[key]
    }
}
