import Teapot
import TestSupport
import TestTraits
import Testing

/// Text of a server that is to look like something else where it is shown: that moves the cursor, turns the direction of
/// writing, or begins a line that looks like an entry of the log.
@Suite(.inTurn)
struct LogInjectionTests {
    /// Line breaks of all kinds, C0, DEL, C1, ANSI sequences, and what changes the direction of text.
    static let characters = [
        "\r", "\n", "\r\n", "\0", "\u{7}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{7F}",
        "\u{80}",
        "\u{85}", "\u{9B}31m", "\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}",
        "\u{202E}",
        "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}",
    ]
    private static let entry = "2025-01-01T00:00:00Z [error] ✗ forged"

    /// Whether the character must not appear in any text, apart from the text's own line breaks.
    private func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        // The properties take long to look up.
        guard scalar < " " || scalar > "~" else { return false }
        return scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
            || scalar.properties.isBidiControl
            || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    private func expectHarmless(_ entries: [String]) {
        #expect(!entries.isEmpty)
        let start = #/[0-9TZ:-]{20} \[(error|incoming|outgoing)\] /#
        for entry in entries {
            #expect(!entry.unicodeScalars.contains(where: isHostile), "\(entry.debugDescription)")
            let lines = entry.components(separatedBy: "\n")
            #expect(lines.first?.prefixMatch(of: start) != nil)
            // Only an entry begins at the beginning of a line.
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("    ") })
        }
    }

    private func expectOneLine(_ error: TeapotError?) throws {
        let error = try #require(error)
        for text in [error.description, error.failureReason ?? "", "\(error)", String(reflecting: error)] {
            #expect(!text.unicodeScalars.contains { isHostile($0) || $0 == "\n" }, "\(text.debugDescription)")
        }
    }

    private func teapot(_ transport: ManualTransport, _ entries: Locked<[String]>) throws -> Teapot {
        let teapot = Teapot(baseURL: try #require(URL(string: "http://h")), transport: transport)
        teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in entries.withLock { $0.append(entry) } }
        return teapot
    }

    // MARK: - What a server sends

    @Test(arguments: brief(characters))
    func `in header fields and bodies cannot forge or hide a line`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let entries = Locked<[String]>([])
        let hostile = "a\(text)\(Self.entry)"
        let quoted = String(decoding: try JSONEncoder().encode(hostile), as: UTF8.self)
        for body in [
            hostile, "\n\(hostile)", "{\"\(quoted.dropFirst().dropLast())\":\(quoted)}", "<x y=\"\(hostile)\">",
        ] {
            for status in [200, 302, 500] {
                let fields = ["X-Text": hostile, "X-\(hostile)": "x", "Location": hostile, "Set-Cookie": hostile]
                let transport = ManualTransport { $0.answer(status, headers: fields, body: body) }
                let teapot = try teapot(transport, entries)
                let error = await thrown { () throws(TeapotError) in
                    try await teapot.send(
                        Teapot.Request(path: "a?q=\(Self.entry)").with { $0.timeoutInterval = .infinity },
                        as: [String: Int].self
                    )
                }
                try expectOneLine(error)
                let broken = ManualTransport { hop in
                    hop.respond(status, headers: fields)
                    hop.report(.data(Data(body.utf8)))
                    hop.report(
                        .finished(URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: hostile]))
                    )
                }
                let other = try self.teapot(broken, entries)
                let request = Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity }
                try expectOneLine(await thrown { () throws(TeapotError) in try await other.send(request) })
            }
        }
        let refused = ManualTransport {
            $0.report(.finished(URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: hostile])))
        }
        let teapot = try teapot(refused, entries)
        try expectOneLine(
            await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
            }
        )
        expectHarmless(entries.withLock { $0 })
    }

    // MARK: - What else gets into a text

    @Test(arguments: brief(characters))
    func `in the name of a file cannot either`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let folder = try TemporaryFolder()
        let entries = Locked<[String]>([])
        let teapot = try teapot(ManualTransport { $0.answer(200) }, entries)
        let file = folder.file("missing-\(text)\(Self.entry)/tea")
        try expectOneLine(
            await thrown { () throws(TeapotError) in
                try await teapot.upload(Teapot.Request(.post, path: "a", body: .file(file)))
            }
        )
        try expectOneLine(await thrown { () throws(TeapotError) in try await teapot.download("a", to: file) })
        expectHarmless(entries.withLock { $0 })
    }

    @Test(arguments: brief(characters))
    func `in a request cannot either`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let entries = Locked<[String]>([])
        let teapot = try teapot(ManualTransport { $0.answer(404) }, entries)
        let hostile = "a\(text)\(Self.entry)"
        for request in [
            Teapot.Request(path: Teapot.Path(hostile)), Teapot.Request(path: "a", headerFields: ["X-A": hostile]),
            Teapot.Request(path: "a", headerFields: [hostile: "x"]),
            Teapot.Request(path: "a", query: [hostile: hostile]),
            Teapot.Request(.post, path: "a", body: Teapot.Request.Body(Data(hostile.utf8))),
            Teapot.Request(.post, path: "a", body: Teapot.Request.Body(Data(), contentType: hostile)),
        ] {
            try expectOneLine(await thrown { () throws(TeapotError) in try await teapot.send(request) })
            #expect(!"\(request)".unicodeScalars.contains { isHostile($0) || $0 == "\n" })
        }
        let payload: [String: Any] = [hostile: Date()]
        try expectOneLine(
            await result { teapot.post("a", parameters: payload, deliveryQueue: .global(), completion: $0) }.error
        )
        expectHarmless(entries.withLock { $0 })
    }

    // MARK: - How much

    /// A server must not fill the disk of the log, or keep the process busy with indenting.
    @Test func `a large body is counted, not shown`() {
        let text = String(repeating: "a", count: 1 << 18)
        #expect(Logger.logString(from: Data(text.utf8)) == text)
        #expect(Logger.logString(from: Data("\(text)a".utf8)) == "262145 bytes")
        #expect(Logger.logString(from: Data("[\"\(text)\"]".utf8)) == "262148 bytes")
    }
}
