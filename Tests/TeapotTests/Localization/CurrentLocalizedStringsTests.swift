internal import Foundation
internal import Teapot
internal import Testing

/// The strings of the process. Other tests read them at the same time, so what is set here changes no text of theirs.
@Suite("The current localized strings", .serialized)
struct CurrentLocalizedStringsTests {
    @Test func areNeverAKey() {
        for key in BuiltInStrings.english.keys {
            let text = LocalizedStrings.text(key, ["a", "b"])
            #expect(!text.isEmpty && !text.contains(key))
        }
    }

    @Test func comeFromTheBundleThatIsSet() throws {
        let before = LocalizedStrings.currentBundle
        defer { LocalizedStrings.currentBundle = before }
        try TemporaryBundle.with(strings: ["": #""Teapot:OnlyInThisTest" = "%@ said the app";"#]) { bundle in
            LocalizedStrings.currentBundle = bundle
            #expect(LocalizedStrings.currentBundle == bundle)
            #expect(LocalizedStrings.text("Teapot:OnlyInThisTest", ["Hi"]) == "Hi said the app")
            #expect(LocalizedStrings.text("Teapot:OtherKey") == "An error occurred.")
        }
    }

    @Test func canBeSetAndReadFromAnyThread() {
        let before = LocalizedStrings.currentBundle
        defer { LocalizedStrings.currentBundle = before }
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            if index.isMultiple(of: 4) { LocalizedStrings.currentBundle = .main }
            #expect(!LocalizedStrings.text("Teapot:NoResponse").isEmpty)
        }
        #expect(LocalizedStrings.currentBundle == .main)
    }
}
