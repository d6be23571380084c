enum UserLanguages {
    /// The user's languages according to the environment, the best first.
    /// POSIX.1-2017, section 8.2, for messages: `LC_ALL`, else `LC_MESSAGES`, else `LANG`, the first that is set and not empty.
    /// Foundation on Linux ignores them. Of a locale such as `de_DE.UTF-8@euro`, the bare language comes last.
    static func languages(environment: [String: String]) -> [String] {
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let locale = values.first { !$0.isEmpty } ?? "C"
        let name = ByteSet(".@").parts(of: locale)[0]
        var subtags = ByteSet("_-").parts(of: name).filter { !$0.isEmpty }
        let language = subtags.isEmpty ? "c" : subtags.removeFirst().lowercased()
        switch language {
        case "c", "posix": return ["en"]
        case "zh": return chinese(subtags)
        case "no", "nb": return variants("nb", subtags) + ["no"]
        case "nn": return variants("nn", subtags) + ["nb", "no"]
        default: return variants(language, subtags)
        }
    }

    /// A language with all its subtags, then with one less at a time, down to the bare language.
    private static func variants(_ language: String, _ subtags: [String]) -> [String] {
        var variants = [language]
        for subtag in subtags { variants.append(variants[variants.count - 1] + "-" + subtag) }
        return variants.reversed()
    }

    /// Chinese bundles are named for the script, locales for the country.
    private static func chinese(_ subtags: [String]) -> [String] {
        let first = subtags.first?.lowercased() ?? ""
        let script = ["hant", "tw", "hk", "mo"].contains(first) ? "zh-Hant" : "zh-Hans"
        if first == "hans" || first == "hant" { return variants(script, Array(subtags.dropFirst())) + ["zh"] }
        var (inScript, inLanguage) = (variants(script, subtags), variants("zh", subtags))
        inScript.removeLast()
        inLanguage.removeLast()
        return inScript + inLanguage + [script, "zh"]
    }
}
