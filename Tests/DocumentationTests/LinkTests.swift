import Foundation
import TestTraits
import Testing

/// Every relative link of the pages that are read in the repository leads to a file of this package.
@Suite(.inTurn)
struct LinkTests {
    @Test func `links are found, and resolved from the folder of their page`() throws {
        #expect(try Link.relative(in: PackageFiles.file("README.md")).isEmpty == false)
        let links = try Link.relative(in: PackageFiles.file("Sources/Teapot/Transport/Linux/README.md"))
        #expect(links.map(\.path) == ["Sources/Teapot/Teapot.docc/FoundationNetworking.md"])
    }

    @Test(arguments: try PackageFiles.pages().flatMap(Link.relative))
    func `link leads to file`(_ link: Link) {
        #expect(PackageFiles.exists(link.path), "\(link.location): there is no \(link.path)")
    }
}
