import Foundation
import TestSupport
import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct PeerTests {
    @Test func `a peer answers line by line`() throws {
        let script = "echo ready; while read -r count; do echo \"$count 0.5\"; done"
        let process = try ChildProcess([script], of: ["/bin/sh", "-c"])
        #expect(process.line == "ready")
        #expect(try process.ask("7") == "7 0.5")
        #expect(try process.ask("8") == "8 0.5")
        #expect(process.end() == nil)
    }

    @Test func `its answer is seconds and processor seconds`() {
        #expect(Sample(line: "0.25 0.19")?.seconds == 0.25)
        #expect(Sample(line: "0.25 0.19")?.processorSeconds == 0.19)
        for line in ["", "0.25", "0.25 fast", "1 2 3"] { #expect(Sample(line: line) == nil) }
    }

    @Test(arguments: Peer.adapters.keys.sorted()) func `a known library gets an executable`(name: String) throws {
        let adapter = try #require(Peer.adapters[name])
        let library = URL(fileURLWithPath: #"/a "directory"/\#(name)"#)
        let folder = try Peer.package(of: name, at: library, calling: adapter)
        let manifest = try #require(folder.text("Package.swift"))
        #expect(manifest.contains(#".package(name: "\#(name)", path: "/a \"directory\"/\#(name)")"#))
        let program = try #require(folder.text("Peer.swift"))
        #expect(program.contains("import \(name)\n"))
        #expect(program.contains(#"print("async-decodable get-64")"#))
    }
}
