@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct UserLanguagesTests {
    @Test(
        arguments: [
            ("de_DE.UTF-8", ["de-DE", "de"]),
            ("de_DE.UTF-8@euro", ["de-DE", "de"]),
            ("de", ["de"]),
            ("de-AT", ["de-AT", "de"]),
            ("DE_at", ["de-at", "de"]),
            ("C", ["en"]),
            ("POSIX", ["en"]),
            ("zh_CN.UTF-8", ["zh-Hans-CN", "zh-CN", "zh-Hans", "zh"]),
            ("zh_SG", ["zh-Hans-SG", "zh-SG", "zh-Hans", "zh"]),
            ("zh", ["zh-Hans", "zh"]),
            ("zh_TW.Big5", ["zh-Hant-TW", "zh-TW", "zh-Hant", "zh"]),
            ("zh_HK", ["zh-Hant-HK", "zh-HK", "zh-Hant", "zh"]),
            ("zh_MO", ["zh-Hant-MO", "zh-MO", "zh-Hant", "zh"]),
            ("zh_Hant_HK", ["zh-Hant-HK", "zh-Hant", "zh"]),
            ("zh-hans", ["zh-Hans", "zh"]),
            ("no_NO.UTF-8", ["nb-NO", "nb", "no"]),
            ("nb_NO", ["nb-NO", "nb", "no"]),
            ("nn_NO", ["nn-NO", "nn", "nb", "no"]),
            ("sr_Latn_RS", ["sr-Latn-RS", "sr-Latn", "sr"]),
            (".UTF-8", ["en"]),
            ("../../etc/passwd", ["en"]),
            ("/usr/share/locale/de", ["/usr/share/locale/de"]),
        ] as [(String, [String])]
    )
    func `are those of the locale`(_ locale: String, _ languages: [String]) {
        #expect(UserLanguages.languages(environment: ["LANG": locale]) == languages)
    }

    @Test(
        arguments: [
            ([:], ["en"]),
            (["LANG": "de"], ["de"]),
            (["LANG": "de", "LC_MESSAGES": "nb"], ["nb", "no"]),
            (["LANG": "de", "LC_MESSAGES": "nb", "LC_ALL": "fr"], ["fr"]),
            (["LANG": "de", "LC_ALL": "C"], ["en"]),
            (["LANG": "de", "LC_MESSAGES": "", "LC_ALL": ""], ["de"]),
            (["LANG": "", "LC_MESSAGES": "nb", "LC_ALL": ""], ["nb", "no"]),
            (["LANG": "", "LC_MESSAGES": "", "LC_ALL": ""], ["en"]),
            (["LANGUAGE": "de", "LC_CTYPE": "de"], ["en"]),
        ] as [([String: String], [String])]
    )
    func `are those of the first variable that is set`(_ environment: [String: String], _ languages: [String]) {
        #expect(UserLanguages.languages(environment: environment) == languages)
    }
}
