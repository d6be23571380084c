import Foundation

/// The user's languages, the best first.
enum UserLanguages {
    /// The languages according to the environment.
    ///
    /// POSIX.1-2017, section 8.2, for messages: `LC_ALL`, else `LC_MESSAGES`, else `LANG`, the first that is set and not empty.
    /// Foundation on Linux ignores them. Of a locale such as `de_DE.UTF-8@euro`, the bare language comes last.
    static func languages(environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "C").prefix { $0 != "." && $0 != "@" }
        var subtags = name.split { $0 == "_" || $0 == "-" }.map(String.init)
        guard let language = subtags.first?.lowercased(), !["c", "posix"].contains(language) else { return ["en"] }

        subtags.removeFirst()
        switch language {
        case "zh": return chinese(subtags)
        case "no", "nb": return variants("nb", subtags) + ["no"]
        case "nn": return variants("nn", subtags) + ["nb", "no"]
        default: return variants(language, subtags)
        }
    }

    /// A language with all its subtags, then with one less at a time, down to the bare language.
    private static func variants(_ language: String, _ subtags: [String]) -> [String] {
        (0...subtags.count).reversed().map { ([language] + subtags.prefix($0)).joined(separator: "-") }
    }

    /// Chinese bundles are named for the script, locales for the country.
    private static func chinese(_ subtags: [String]) -> [String] {
        let scripts = ["hans": "zh-Hans", "hant": "zh-Hant"]
        if let script = subtags.first.flatMap({ scripts[$0.lowercased()] }) {
            return variants(script, Array(subtags.dropFirst())) + ["zh"]
        }
        let isTraditional = ["TW", "HK", "MO"].contains(subtags.first?.uppercased() ?? "")
        let script = isTraditional ? "zh-Hant" : "zh-Hans"
        return variants(script, subtags).dropLast() + variants("zh", subtags).dropLast() + [script, "zh"]
    }
}
