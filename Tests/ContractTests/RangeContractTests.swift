import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// Requests for a part of a file.
@Suite(.inTurn)
struct RangeContractTests {
    /// The fields that the server got.
    private func sent(_ fields: [String: String], by teapot: Teapot) async throws -> String? {
        let headers = try await teapot.get("headers", headerFields: fields).json?.dictionary?["headers"]
        return (headers as? [String: String])?.first { $0.key.lowercased() == "accept-encoding" }?.value
    }

    @Test(arguments: Backend.servers.filter(\.acceptsCodings))
    func `a part is asked for without a content coding, unless the caller accepts one`(_ backend: Backend) async throws
    {
        let teapot = try backend.teapot()
        #expect(try await sent([:], by: teapot) == "gzip, deflate")
        #expect(try await sent(["Range": "bytes=0-1"], by: teapot) == "identity")
        #expect(try await sent(["range": "bytes=0-1"], by: teapot) == "identity")
        #expect(try await sent(["Range": "bytes=0-1", "accept-encoding": "gzip"], by: teapot) == "gzip")
        teapot.plugins = [WatchingPlugin(prepare: { $0.setValue("bytes=0-1", forHTTPHeaderField: "Range") })]
        #expect(try await sent([:], by: teapot) == "identity")
    }
}
