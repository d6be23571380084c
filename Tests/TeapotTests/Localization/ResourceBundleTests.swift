import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct ResourceBundleTests {
    @Test func `is found beside the tests`() throws {
        let own = try #require(ResourceBundle.own)
        #expect(own.bundleURL.lastPathComponent.hasPrefix("Teapot_Teapot."))
    }

    @Test(arguments: ["Teapot_Teapot.resources", "Teapot_Teapot.bundle"])
    func `is found by either name`(_ name: String) throws {
        try TemporaryBundle.with(["\(name)/en.lproj/Localizable.strings": Data()]) { parent in
            let nowhere = URL(fileURLWithPath: "/nowhere")
            let found = ResourceBundle.find(in: [nowhere, parent.bundleURL])
            #expect(found?.bundleURL.lastPathComponent == name)
        }
    }

    @Test func `is nil when it is missing`() throws {
        try TemporaryBundle.with(["other.txt": Data()]) { directory in
            #expect(ResourceBundle.find(in: [directory.bundleURL]) == nil)
        }
        #expect(ResourceBundle.find(in: []) == nil)
    }
}
