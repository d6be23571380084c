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

    // MARK: - The rest of a download

    private static let whole = Data((0..<1_000).map { UInt8($0 % 251) })

    /// What a server says that it sends of the file, and what it sends.
    private static let parts: [(range: String, sent: Range<Int>)] = [
        ("bytes 99-199/1000", 99..<599), ("bytes 99-199/1000", 400..<900), ("bytes 99-199/1000", 0..<101),
        ("bytes 99-999/1000", 99..<500), ("bytes 99-999/1000", 99..<99), ("bytes 0-999/1000", 0..<1_000),
        ("bytes 100-999/1000", 100..<1_000), ("bytes 99-999/1001", 99..<1_000), ("bytes 99-899/900", 99..<900),
    ]

    @Test(arguments: Backend.scriptable, [false, true])
    func `a part that contradicts its Content-Range is not kept`(_ backend: Backend, isChunked: Bool) async throws {
        for (range, sent) in Self.parts {
            let folder = try TemporaryFolder()
            let isBegun = Locked(false)
            let service = try ScriptedService(backend) { request in
                let tag = (name: "ETag", value: "\"v1\"")
                guard let asked = request.header("Range") else {
                    let answer = ScriptedAnswer(200, [tag], Self.whole)
                    let isFirst = isBegun.withLock { isBegun in
                        defer { isBegun = true }
                        return !isBegun
                    }
                    return isFirst ? answer.breakingOff(after: 100) : answer
                }
                var answer = ScriptedAnswer(206, [tag, ("Content-Range", range)], Self.whole[sent])
                answer.isChunked = isChunked
                answer.pieceSize = 100
                guard asked != "bytes=99-" else { return answer }
                let first = Int(asked.dropFirst(6).dropLast()) ?? 0
                return ScriptedAnswer(206, [tag, ("Content-Range", "bytes \(first)-999/1000")], Self.whole[first...])
            }
            let teapot = service.client()
            let file = folder.file("tea")
            for _ in 0..<3 where !folder.names.contains("tea") {
                _ = await thrown { () throws(TeapotError) in try await teapot.download("tea", to: file, resumes: true) }
            }
            #expect(try Data(contentsOf: file) == Self.whole, "\(range), \(sent)")
            #expect(service.requests.map { $0.header("Range") } == [nil, "bytes=99-", nil], "\(range), \(sent)")
        }
    }
}
