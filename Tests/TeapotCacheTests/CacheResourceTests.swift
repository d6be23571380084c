import Foundation
import TestSupport
import TestTraits
import Testing

import Teapot
import TeapotCache

#if os(Linux)
    /// The memory that a cache takes in a process of its own.
    @Suite(.inTurn, .exitTests)
    struct CacheResourceTests {
        @Test func `many names in Vary take no more memory than the cache may`() async {
            await #expect(processExitsWith: .success) {
                let names = (0..<20_000).map { "x\($0)" }.joined(separator: ",")
                try await CacheResourceTests.fill(60, ["Vary": names])
            }
        }

        @Test func `many small header fields take no more memory than the cache may`() async {
            await #expect(processExitsWith: .success) {
                try await CacheResourceTests.fill(
                    280,
                    Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("X-\($0)", "a") })
                )
            }
        }

        /// Stores responses in a cache of 8 MB.
        fileprivate static func fill(_ count: Int, _ fields: [String: String]) async throws {
            let headers = fields.merging(["Cache-Control": "max-age=60", "Content-Length": "7"]) { $1 }
            let transport = AnsweringTransport { _ in (200, headers) }
            let cache = CachingTransport(wrapping: transport, maximumSize: 8_000_000)
            let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: cache)
            try await teapot.get("first")
            let before = try #require(ProcessResources.current)
            for number in 0..<count { try await teapot.get("\(number)") }
            let growth = try #require(ProcessResources.current).memory - before.memory
            #expect(growth < 16_000, "\(growth) KB")
        }
    }
#endif
