import Foundation

/// The texts of Teapot and MockTeapot in the user's language.
///
/// A key is looked up in the app's bundle, in the user's languages and then in English; then in Teapot's own bundle in the same
/// way; then in the compiled-in English texts. Invalid files, and entries that are empty or not text, are skipped.
struct LocalizedStrings: Sendable {
    private let sources: [(BundleStrings, [String])]

    init(bundle: Bundle?, ownBundle: Bundle?, languages: [String]) {
        self.init(bundle: bundle, ownBundle: ownBundle) { _ in languages }
    }

    /// Makes the strings for the languages that suit each bundle.
    init(bundle: Bundle?, ownBundle: Bundle?, languages: (Bundle) -> [String]) {
        var sources: [(BundleStrings, [String])] = []
        if let bundle { sources.append((.of(bundle), languages(bundle))) }
        if let ownBundle { sources.append((.of(ownBundle), languages(ownBundle))) }
        self.sources = sources
    }

    /// The sentence for a key such as `Teapot:NoResponse`, with its placeholders replaced in the order of the English text. A
    /// special key, such as `Teapot:TimedOut`, is preferred in each file that has it.
    /// - Returns: The sentence. It is never empty and never the key.
    func text(_ key: String, special: String? = nil, _ arguments: [String] = []) -> String {
        var keys = [key]
        if let special { keys.insert(special, at: 0) }
        var template = BuiltInStrings.english[keys[0]] ?? BuiltInStrings.unknownError
        for (strings, languages) in sources {
            guard let found = strings.template(for: keys, languages: languages) else { continue }
            template = found
            break
        }
        return MessageTemplate(template).filled(with: arguments)
    }
}

extension LocalizedStrings {
    /// The bundle set by the app, if any.
    private static let appBundle = Locked<Bundle?>(nil)

    /// The first bundle to look in, for the whole process; by default Teapot's own, or the main bundle if Teapot's own is missing.
    static var currentBundle: Bundle {
        get { appBundle.withLock { $0 } ?? ResourceBundle.own ?? .main }
        set { appBundle.withLock { $0 = newValue } }
    }

    /// The sentence for a key, from the current bundle and in the user's current language.
    /// - Returns: The sentence. It is never empty and never the key.
    static func text(_ key: String, special: String? = nil, _ arguments: [String] = []) -> String {
        let strings = LocalizedStrings(bundle: appBundle.withLock { $0 }, ownBundle: ResourceBundle.own) { bundle in
            // The environment names the language, except on Apple platforms, which have settings for it.
            #if canImport(Darwin)
                bundle.preferredLocalizations
            #else
                UserLanguages.languages(environment: ProcessInfo.processInfo.environment)
            #endif
        }
        return strings.text(key, special: special, arguments)
    }
}
