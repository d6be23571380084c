import Foundation
import TestTraits
import Testing

/// Every relative link of the top-level pages leads to a file of this package.
@Suite(.inTurn)
struct LinkTests {
    @Test func `README has links`() throws {
        #expect(try Link.relative(in: PackageFiles.file("README.md")).isEmpty == false)
    }

    @Test(arguments: try PackageFiles.topLevelPages().flatMap(Link.relative))
    func `link leads to file`(_ link: Link) {
        #expect(PackageFiles.exists(link.path), "\(link.location): there is no \(link.path)")
    }
}
