import Foundation
import Testing

/// Every relative link of the top-level pages leads to a file of this package.
struct LinkTests {
    @Test func readmeHasLinks() throws {
        #expect(try Link.relative(in: PackageFiles.file("README.md")).isEmpty == false)
    }

    @Test(arguments: try PackageFiles.topLevelPages().flatMap(Link.relative))
    func linkLeadsToFile(_ link: Link) {
        #expect(PackageFiles.exists(link.path), "\(link.location): there is no \(link.path)")
    }
}
