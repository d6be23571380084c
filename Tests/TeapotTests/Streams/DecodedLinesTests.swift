import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct DecodedLinesTests {
    struct Cup: Decodable, Equatable {
        let size: Int
    }

    private func lines(_ text: String) async throws -> Teapot.Elements<Cup> {
        let mock = MockTeapot(strictIn: .module)
        mock.decoder.keyDecodingStrategy = .custom { _ in JSONKey.size }
        try mock.overrideEndPoint("cups", with: .data(Data(text.utf8), contentType: "application/x-ndjson"))
        return try await mock.bytes("cups").lines(as: Cup.self)
    }

    private enum JSONKey: String, CodingKey { case size }

    @Test(arguments: brief(["", "\n", " \r\n\t\n"]))
    func `blank lines are skipped`(_ argument: Brief<String>) async throws {
        let text = argument.value
        for try await cup in try await lines(text) { Issue.record("\(cup)") }
    }

    @Test func `an error names the line, which can be passed over`() async throws {
        let text = "{\"größe\": 1}\r\n\n<html>\n{\"größe\": \"hunter2\"}\n{\"größe\": 2}"
        var cups = try await lines(text).makeAsyncIterator()
        #expect(try await cups.next() == Cup(size: 1))
        var reasons: [String] = []
        for line in ["<html>", "{\"größe\": \"hunter2\"}"] {
            let error = await #expect(throws: TeapotError.self) { try await cups.next() }
            #expect(error?.type == .decodingFailed)
            #expect(error?.text == line)
            #expect(error?.responseStatus == 200)
            reasons.append(error?.failureReason ?? "")
        }
        #expect(reasons[0] == #"line 3: $: not valid JSON: application/x-ndjson, 6 bytes, "<html>""#)
        #expect(reasons[1].hasPrefix("line 4: $.size: "))
        #expect(!reasons[1].contains("hunter2"))
        #expect(try await cups.next() == Cup(size: 2))
        #expect(try await cups.next() == nil)
    }
}
