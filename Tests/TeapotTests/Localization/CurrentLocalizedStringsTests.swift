import Foundation
@testable import Teapot
import TestTraits
import Testing

/// The strings of the process. Other tests read them at the same time, so what is set here changes no text of theirs.
@Suite(.serialized, .inTurn)
struct CurrentLocalizedStringsTests {
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
