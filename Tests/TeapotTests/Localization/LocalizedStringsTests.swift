import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct LocalizedStringsTests {
    private static let key = "Teapot:NoResponse"
    private static let english = "No response received from server."

    private func line(_ text: String) -> String {
        "\"\(Self.key)\" = \"\(text)\";"
    }

    /// Where the text comes from, as one source after another is taken away.
    @Test func `are searched in one source after the other`() throws {
        var app = ["de-DE", "de", "en", "Base", ""].reduce(into: [:]) { $0[$1] = line("app \($1)") }
        var own = ["de-DE", "de", "en", "Base", ""].reduce(into: [:]) { $0[$1] = line("own \($1)") }
        func text() throws -> String {
            var text = ""
            try TemporaryBundle.with(strings: app) { app in
                try TemporaryBundle.with(strings: own) { own in
                    let languages = ["de-DE", "de"]
                    text = LocalizedStrings.text([Self.key], from: [(app, languages), (own, languages)])
                }
            }
            return text
        }

        for language in ["de-DE", "de", "en", "Base", ""] {
            #expect(try text() == "app \(language)")
            app[language] = nil
        }
        for language in ["de-DE", "de", "en", "Base", ""] {
            #expect(try text() == "own \(language)")
            own[language] = nil
        }
        #expect(try text() == Self.english)
    }

    @Test(arguments: [
        ("zh-hans", "zh-Hans"), ("zh-Hans", "zh-hans"), ("ZH-HANS", "zh-Hans"), ("pt_BR", "pt-BR"), ("pt-br", "pt_BR"),
    ])
    func `are found whatever the case of the directory`(_ directory: String, _ language: String) throws {
        try TemporaryBundle.with(strings: [directory: line("found")]) { bundle in
            #expect(LocalizedStrings.text([Self.key], from: [(bundle, [language])]) == "found")
        }
    }

    @Test func `skip a language that lacks the key`() throws {
        try TemporaryBundle.with(strings: [
            "de-AT": #""Teapot:MissingImage" = "Bild fehlt";"#, "de": line("Deutsch"),
        ]) { bundle in
            func text(_ key: String) -> String { LocalizedStrings.text([key], from: [(bundle, ["de-AT", "de"])]) }
            #expect(text(Self.key) == "Deutsch")
            #expect(text("Teapot:MissingImage") == "Bild fehlt")
            #expect(text("Teapot:Cancelled") == "The request was cancelled.")
        }
    }

    @Test(arguments: brief([[], [""], ["../../.."], ["\0"], [String(repeating: "x", count: 10_000)], ["en"]]))
    func `never leave the bundle`(_ argument: Brief<[String]>) throws {
        let (own, languages) = (try #require(ResourceBundle.own), argument.value)
        #expect(LocalizedStrings.text([Self.key], from: [(.main, languages), (own, languages)]) == Self.english)
    }

    /// Other tests read them at the same time, so what is set here changes no text of theirs.
    @Test func `come from the bundle that is set`() throws {
        let before = LocalizedStrings.currentBundle
        defer { LocalizedStrings.currentBundle = before }
        try TemporaryBundle.with(strings: ["": #""Teapot:OnlyInThisTest" = "%@ said the app";"#]) { bundle in
            Teapot.localizationBundle = bundle
            #expect(Teapot.localizationBundle == bundle)
            #expect(LocalizedStrings.text("Teapot:OnlyInThisTest", ["Hi"]) == "Hi said the app")
            #expect(LocalizedStrings.text("Teapot:OtherKey") == "An error occurred.")
        }
    }
}
