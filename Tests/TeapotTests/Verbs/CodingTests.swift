import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// Which encoder and which decoder a call goes by.
@Suite(.inTurn)
struct CodingTests {
    struct Brew: Codable, Sendable, Equatable {
        var teaName = "Earl"
        var brewedAt = Date(timeIntervalSince1970: 0)
    }

    static let snakeText = #"{"brewed_at":"1970-01-01T00:00:00Z","tea_name":"Earl"}"#

    static var snakeEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    static var snakeDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    private func teapot(_ transport: ManualTransport) throws -> Teapot {
        Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
    }

    @Test func `a call uses the coders that were set when it began`() async throws {
        let other = Locked<Teapot?>(nil)
        let transport = ManualTransport { hop in
            other.withLock { $0 }?.decoder = JSONDecoder()
            hop.answer(200, body: Self.snakeText)
        }
        let teapot = try teapot(transport)
        other.withLock { $0 = teapot }
        teapot.decoder = Self.snakeDecoder
        #expect(try await teapot.get("a", as: Brew.self) == Brew())
        let error = await #expect(throws: TeapotError.self) { try await teapot.get("a", as: Brew.self) }
        #expect(error?.type == .decodingFailed)
        teapot.encoder = Self.snakeEncoder
        try await teapot.post("a", body: Brew())
        teapot.encoder = JSONEncoder()
        try await teapot.post("a", body: ["a/b"])
        let bodies = transport.hops.compactMap(\.request.httpBody).map { String(decoding: $0, as: UTF8.self) }
        #expect(bodies == [Self.snakeText, #"["a\/b"]"#])
    }

    @Test func `an error decodes its body by the Teapot's decoder, or by another one`() async throws {
        let teapot = try teapot(ManualTransport { $0.answer(500, body: Self.snakeText) })
        let strict = try #require(await thrown { () throws(TeapotError) in try await teapot.get("a") })
        let failure = #expect(throws: TeapotError.self) { try strict.decode(Brew.self) }
        #expect(failure?.type == .decodingFailed)
        #expect(failure?.failureReason == "$: the key teaName is missing")
        #expect(failure?.responseStatus == 500)
        #expect(failure?.data == Data(Self.snakeText.utf8))
        #expect(try strict.decode(Brew.self, using: Self.snakeDecoder) == Brew())
        teapot.decoder = Self.snakeDecoder
        let error = try #require(await thrown { () throws(TeapotError) in try await teapot.bytes("a") })
        #expect(try error.decode() == Brew())
    }

    @Test func `coders may be replaced during calls`() async throws {
        let teapot = try teapot(ManualTransport { $0.answer(200, body: "[1]") })
        let sums = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    teapot.decoder = JSONDecoder()
                    teapot.encoder = JSONEncoder()
                    return (try? await teapot.post("a", body: [1], as: [Int].self).count) ?? 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sums == 200)
    }
}
