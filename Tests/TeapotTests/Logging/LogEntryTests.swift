import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The parts of the entries of a call, for logs with fields.
@Suite(.inTurn)
struct LogEntryTests {
    @Test func `entries have the parts of a call`() async throws {
        let clock = TestClock()
        let transport = ManualTransport { hop in
            clock.advance(by: .milliseconds(84))
            hop.answer(503)
        }
        let url = try #require(URL(string: "http://h"))
        let teapot = Teapot(baseURL: url, transport: transport, clock: clock)
        let entries = Locked<[Logger.Entry]>([])
        let texts = Locked<[String]>([])
        teapot.logger = .entries(level: .incomingAndOutgoingData) { entry in
            entries.withLock { $0.append(entry) }
            texts.withLock { $0.append(entry.text) }
        }
        let error = await #expect(throws: TeapotError.self) { try await teapot.delete("a?token=hush") }
        let all = entries.withLock { $0 }
        #expect(all.map(\.level) == [.incomingAndOutgoingData, .incomingData, .error])
        #expect(all.map(\.method) == ["DELETE", "DELETE", "DELETE"])
        #expect(Set(all.map(\.url)) == ["http://h/a?token=<redacted>"])
        #expect(all.map(\.attempt) == [1, 1, 1])
        #expect(all.map(\.status) == [nil, 503, 503])
        #expect(all.map(\.duration) == [nil, .milliseconds(84), .milliseconds(84)])
        #expect(Set(all.map(\.requestID)).count == 1)
        let number = try #require(all.first?.requestID)
        #expect(all[0].message.hasPrefix("→ DELETE http://h/a?token=<redacted> (#\(number))"))
        #expect(all[1].message.hasPrefix("← 503 DELETE http://h/a?token=<redacted> (#\(number), 84 ms)"))
        #expect(
            all[2].message
                == "✗ \(error?.debugDescription ?? "") (#\(number), 84 ms)".replacing(
                    "DELETE /a",
                    with: "DELETE http://h/a"
                )
        )
        #expect(texts.withLock { $0 }.allSatisfy { $0.contains("] ") && !$0.contains("hush") })
    }
}
