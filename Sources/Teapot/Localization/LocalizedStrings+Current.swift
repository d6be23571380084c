package import Foundation

extension LocalizedStrings {
    /// The bundle that the app set, if it did.
    private static let appBundle = Locked<Bundle?>(nil)

    /// The bundle that is looked in first, for the whole process. It can be read and set from any thread.
    ///
    /// Until an app sets one it is Teapot's own bundle, or the main bundle when Teapot's own is missing.
    package static var currentBundle: Bundle {
        get { appBundle.withLock { $0 } ?? ResourceBundle.own ?? .main }
        set { appBundle.withLock { $0 = newValue } }
    }

    /// The sentence for a key, from the current bundle and in the language the user has at this moment.
    ///
    /// - Parameters:
    ///   - key: A key such as `Teapot:NoResponse`.
    ///   - arguments: What the placeholders stand for, in the order of the English text.
    /// - Returns: The sentence. It is never empty and never the key.
    package static func text(_ key: String, _ arguments: [String] = []) -> String {
        current(environment: ProcessInfo.processInfo.environment).text(key, arguments)
    }

    /// The strings of the process.
    ///
    /// The environment names the language. Apple platforms have settings for it instead.
    private static func current(environment: [String: String]) -> LocalizedStrings {
        let bundle = appBundle.withLock { $0 }
        #if canImport(Darwin)
            return LocalizedStrings(bundle: bundle, ownBundle: ResourceBundle.own) { $0.preferredLocalizations }
        #else
            let languages = UserLanguages.languages(environment: environment)
            return LocalizedStrings(bundle: bundle, ownBundle: ResourceBundle.own, languages: languages)
        #endif
    }
}
