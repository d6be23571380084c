import LoopbackServer
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

    struct Echo: Decodable, Sendable {
        let json: Brew
    }

    static let standardText = #"{"brewedAt":-978307200,"teaName":"Earl"}"#
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

    let server: LoopbackServer
    let teapot: Teapot

    init() throws {
        server = try LoopbackServer()
        teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
    }

    private var sent: [String] { server.requests.map { String(decoding: $0.body, as: UTF8.self) } }

    @Test func `the default encoder sorts keys and does not escape slashes`() async throws {
        let echo = try await teapot.post("post", body: Brew(), as: Echo.self)
        try await teapot.post("post", body: ["b": "1/2", "a": "3"])
        #expect(echo.json == Brew())
        #expect(sent == [Self.standardText, #"{"a":"3","b":"1/2"}"#])
    }

    @Test func `the Teapot's coders are used`() async throws {
        teapot.encoder = Self.snakeEncoder
        teapot.decoder = Self.snakeDecoder
        for echo in [
            try await teapot.post("post", body: Brew(), as: Echo.self),
            try await teapot.put("put", body: Brew(), as: Echo.self),
            try await teapot.patch("patch", body: Brew(), as: Echo.self),
            try await teapot.delete("delete", body: Brew(), as: Echo.self),
            try await teapot.post("post", body: Brew()).decode(Echo.self),
            try await teapot.put("put", body: Brew()).decode(Echo.self),
            try await teapot.patch("patch", body: Brew()).decode(Echo.self),
            try await teapot.delete("delete", body: Brew()).decode(Echo.self),
        ] {
            #expect(echo.json == Brew())
        }
        #expect(sent == Array(repeating: Self.snakeText, count: 8))
    }

    @Test func `the call's coders win`() async throws {
        let (encoder, decoder) = (Self.snakeEncoder, Self.snakeDecoder)
        for echo in [
            try await teapot.post("post", body: Brew(), as: Echo.self, encoder: encoder, decoder: decoder),
            try await teapot.put("put", body: Brew(), as: Echo.self, encoder: encoder, decoder: decoder),
            try await teapot.patch("patch", body: Brew(), as: Echo.self, encoder: encoder, decoder: decoder),
            try await teapot.delete("delete", body: Brew(), as: Echo.self, encoder: encoder, decoder: decoder),
            try await teapot.post("post", body: Brew(), encoder: encoder).decode(Echo.self, using: decoder),
            try await teapot.put("put", body: Brew(), encoder: encoder).decode(Echo.self, using: decoder),
            try await teapot.patch("patch", body: Brew(), encoder: encoder).decode(Echo.self, using: decoder),
            try await teapot.delete("delete", body: Brew(), encoder: encoder).decode(Echo.self, using: decoder),
        ] {
            #expect(echo.json == Brew())
        }
        #expect(sent == Array(repeating: Self.snakeText, count: 8))
        let text = Teapot.Request.Body(Data(Self.snakeText.utf8))
        for echo in [
            try await teapot.post("post", body: text, as: Echo.self, decoder: decoder),
            try await teapot.put("put", body: text, as: Echo.self, decoder: decoder),
            try await teapot.patch("patch", body: text, as: Echo.self, decoder: decoder),
            try await teapot.delete("delete", body: text, as: Echo.self, decoder: decoder),
        ] {
            #expect(echo.json == Brew())
        }
    }

    @Test func `get uses the call's decoder, too`() async throws {
        let transport = ManualTransport { $0.answer(200, body: Self.snakeText) }
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        #expect(try await teapot.get("a", as: Brew.self, decoder: Self.snakeDecoder) == Brew())
        let error = await #expect(throws: TeapotError.self) { try await teapot.get("a", as: Brew.self) }
        #expect(error?.type == .decodingFailed)
    }

    @Test func `a call uses the coders that were set when it began`() async throws {
        let other = Locked<Teapot?>(nil)
        let transport = ManualTransport { hop in
            other.withLock { $0 }?.decoder = JSONDecoder()
            hop.answer(200, body: Self.snakeText)
        }
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
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

    @Test func `coders may be replaced during calls`() async throws {
        let teapot = Teapot(baseURL: server.baseURL, transport: ManualTransport { $0.answer(200, body: "[1]") })
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
