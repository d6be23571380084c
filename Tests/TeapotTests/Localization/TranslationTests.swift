import Foundation
@testable import Teapot
import TestTraits
import Testing

/// The four languages that come with Teapot.
@Suite(.inTurn)
struct TranslationTests {
    private func entries(_ language: String) throws -> [String: String] {
        let bundle = try #require(ResourceBundle.own)
        let directory = try #require(bundle.resourceURL)
        let projects = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        // SwiftPM changes the case of the directory on Linux.
        let project = try #require(
            projects.first { $0.lastPathComponent.lowercased() == "\(language.lowercased()).lproj" }
        )
        let data = try Data(contentsOf: project.appendingPathComponent("Localizable.strings"))
        let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        return try #require(list as? [String: String])
    }

    private func placeholders(_ template: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: "%([0-9]+\\$)?(@|d|i|u|ld|lld|%)")
        let range = NSRange(template.startIndex..., in: template)
        return expression.matches(in: template, range: range).compactMap { match in
            Range(match.range, in: template).map { String(template[$0]) }
        }
    }

    @Test func `of English are the built-in ones`() throws {
        #expect(try entries("en") == LocalizedStrings.english)
    }

    @Test(arguments: ["en", "de", "nb", "zh-Hans"])
    func `have the same keys and placeholders`(_ language: String) throws {
        let translated = try entries(language)
        #expect(translated.keys.sorted() == LocalizedStrings.english.keys.sorted())
        for (key, template) in translated {
            let english = try #require(LocalizedStrings.english[key])
            #expect(try placeholders(template) == placeholders(english), "\(key)")
            #expect(!template.isEmpty)
            #expect(language == "en" || template != english, "\(key)")
        }
    }

    @Test(arguments: [
        ("de", "Keine Antwort vom Server erhalten."), ("nb", "Ingen respons mottatt fra serveren."),
        ("zh-Hans", "未收到服务器的响应。"), ("en", "No response received from server."),
        ("fr", "No response received from server."),
    ])
    func `are found in the own bundle`(_ language: String, _ text: String) throws {
        let own = try #require(ResourceBundle.own)
        #expect(LocalizedStrings.text(["Teapot:NoResponse"], from: [(own, [language])]) == text)
    }
}
