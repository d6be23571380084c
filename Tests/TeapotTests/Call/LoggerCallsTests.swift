@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The log of the funnel. No line of it contains a secret.
@Suite(.inTurn)
struct LoggerCallsTests {
    private static let outgoing = """
        → POST http://h/login?token=<redacted>&page=2
            Accept: */*
            Authorization: <redacted>
            Content-Type: application/json
            X-Api-Key: <redacted>
            {
              "password" : "<redacted>"
            }
        """
    private static let incoming = """
        ← 401 POST http://h/login?token=<redacted>&page=2
            Set-Cookie: <redacted>
            X-A: 1
            {
              "token" : "<redacted>"
            }
        """
    private static let failed =
        "✗ POST http://h/login?token=<redacted>&page=2: 401 Unauthorized ({\"token\":\"<redacted>\"})"

    /// `LoggerTests` has the levels.
    @Test func `shows the request, the answer and the error`() async throws {
        let written = try await log { teapot, completion in
            teapot.post(
                "login?token=hush&page=2",
                parameters: ["password": "hush"],
                headerFields: ["Accept": "*/*"],
                completion: completion
            )
        }
        #expect(written == [Self.outgoing, Self.incoming, Self.failed])
    }

    @Test func `shows secrets when the policy is off`() async throws {
        let written = try await log(secrets: .off) { teapot, completion in
            teapot.get("login?token=shown", completion: completion)
        }
        #expect(
            written.first == "→ GET http://h/login?token=shown\n    Authorization: Basic dTpodXNo\n    X-Api-Key: hush"
        )
    }

    @Test func `says why nothing was sent`() async throws {
        let written = try await log { teapot, completion in
            teapot.get("//other", completion: completion)
        }
        #expect(
            written == [
                "✗ Request not sent: invalidRequestPath: \(LocalizedStrings.text("Teapot:InvalidRequestPath")) "
                    + "(the path begins with //, which names another host)"
            ]
        )
    }

    /// The entries of one call, without time and kind.
    private func log(
        secrets: SecretPolicy = .standard,
        of call: (Teapot, @escaping @Sendable (NetworkResult) -> Void) -> URLSessionTask?
    ) async throws -> [String] {
        let entries = Locked([String]())
        let transport = ManualTransport {
            $0.answer(401, headers: ["X-A": "1", "Set-Cookie": "a=hush"], body: #"{"token":"hush"}"#)
        }
        let teapot = try Teapot(
            baseURL: #require(URL(string: "http://u:hush@h")),
            defaultDeliveryQueue: .global(),
            transport: transport
        )
        teapot.secretPolicy = secrets
        teapot.plugins = [Credential(headerField: "X-Api-Key", value: "hush")]
        teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
            entries.withLock { $0.append(entry.split(separator: " ", maxSplits: 2).last.map(String.init) ?? "") }
        }
        let result = await result { call(teapot, $0) }
        #expect(!result.isSuccess)
        return entries.withLock { $0 }.map { $0.replacing(/\ \(#\d+(, \d+ ms)?\)/, with: "") }
    }

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
