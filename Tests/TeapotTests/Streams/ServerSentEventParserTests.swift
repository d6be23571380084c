import Foundation
import LoopbackServer
import TestTraits
import Testing

@testable internal import Teapot

/// HTML standard, sections 9.2.5 and 9.2.6.
@Suite(.inTurn)
struct ServerSentEventParserTests {
    typealias Event = Teapot.ServerSentEvent

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let events: [Event]
        /// That of the last event, unless a row says something else.
        let lastEventID: String
        let retry: Duration

        var testDescription: String { brief([text])[0].testDescription }

        init(_ text: String, _ events: [Event], lastEventID: String? = nil, retry: Duration = .seconds(3)) {
            (self.text, self.events, self.retry) = (text, events, retry)
            self.lastEventID = lastEventID ?? events.last?.id ?? ""
        }
    }

    /// Feeds a parser with the bytes, cut off where the lengths say so.
    static func parse(_ bytes: [UInt8], _ length: () -> Int) throws -> (events: [Event], parser: ServerSentEventParser)
    {
        var parser = ServerSentEventParser(lastEventID: "", limit: 1_000)
        var (events, rest): ([Event], _) = ([], bytes[...])
        while !rest.isEmpty {
            let piece = rest.prefix(length())
            rest = rest.dropFirst(piece.count)
            parser.append(Data(piece))
            while let event = try parser.next() { events.append(event) }
        }
        return (events, parser)
    }

    static let examples: [Row] = [
        // The examples of the standard.
        Row(
            "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
                + "data: This is the third message.\n\n",
            [
                Event(data: "This is the first message."),
                Event(data: "This is the second message, it\nhas two lines."),
                Event(data: "This is the third message."),
            ]
        ),
        Row(
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
            [
                Event(data: "73857293", type: "add"), Event(data: "2153", type: "remove"),
                Event(data: "113411", type: "add"),
            ]
        ),
        Row("data: YHOO\ndata: +2\ndata: 10\n\n", [Event(data: "YHOO\n+2\n10")]),
        Row(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [Event(data: "first event", id: "1"), Event(data: "second event"), Event(data: " third event")]
        ),
        Row("data\n\ndata\ndata\n\ndata:", [Event(data: ""), Event(data: "\n")]),
        Row("data:test\n\ndata: test\n\n", [Event(data: "test"), Event(data: "test")]),
    ]

    static let rules: [Row] = [
        // The incomplete last event is discarded, and its ID with it.
        Row("", []),
        Row("data: a", []),
        Row("data: a\n", []),
        Row("id: 1\ndata: a\n\nid: 2\ndata: b\n", [Event(data: "a", id: "1")]),
        // Line breaks.
        Row("data: a\r\rdata: b\r\n\r\ndata: c\n\n", [Event(data: "a"), Event(data: "b"), Event(data: "c")]),
        Row("data: a\r\n\ndata: b\n\r\n", [Event(data: "a"), Event(data: "b")]),
        Row("data: a\u{2028}b\u{85}c\u{B}\n\n", [Event(data: "a\u{2028}b\u{85}c\u{B}")]),
        // One byte order mark, at the start only.
        Row("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [Event(data: "a")]),
        Row("\u{FEFF}\u{FEFF}data: a\n\n", []),
        Row("\u{FEFF}\ndata: a\n\n", [Event(data: "a")]),
        // Comments and fields that are unknown, in another case, or no names.
        Row(":\n:data: a\n: b\n\n", []),
        Row("Data: a\ndata : b\n data: c\nfoo: d\nfoo\ndata: e\n\n", [Event(data: "e")]),
        // One space is removed, and no other blank.
        Row("data:\ta\n\ndata:   b \n\n", [Event(data: "\ta"), Event(data: "  b ")]),
        Row("data:a:b: c\n\n", [Event(data: "a:b: c")]),
        Row("data:\u{301}\n\n", [Event(data: "\u{301}")]),
        Row("data: \u{301}a\n\n", [Event(data: "\u{301}a")]),
        // Names: the last counts, an empty one is ignored, and it applies to one event.
        Row("event: a\nevent: b\ndata: x\n\ndata: y\n\n", [Event(data: "x", type: "b"), Event(data: "y")]),
        Row("event: a\nevent\ndata: x\n\n", [Event(data: "x")]),
        Row("event: a\n\ndata: x\n\n", [Event(data: "x")]),
        // IDs: they stay, an event without data sets one, and one with NUL is ignored.
        Row("id: 1\ndata: a\n\ndata: b\n\n", [Event(data: "a", id: "1"), Event(data: "b", id: "1")]),
        Row("id: 7\n\n", [], lastEventID: "7"),
        Row("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n", [Event(data: "a", id: "1"), Event(data: "b", id: "1")]),
        Row("id: 1\ndata: a\n\nid:\n\n", [Event(data: "a", id: "1")], lastEventID: ""),
        // Times: digits only, at once, also of an event that is discarded.
        Row("retry: 250\n", [], retry: .milliseconds(250)),
        Row("retry:0\n\n", [], retry: .zero),
        Row("retry: 1\nretry: -2\nretry: 3.0\nretry: x\nretry\nretry: 4 \nretry: ٣\n", [], retry: .milliseconds(1)),
        Row("retry: 99999999999999999999999\n", [], retry: .seconds(1_000_000_000)),
    ]

    @Test(arguments: examples + rules, [1, 2, 3, 1_000])
    func `events are read however they are cut`(_ row: Row, _ length: Int) throws {
        let (events, parser) = try Self.parse(Array(row.text.utf8)) { length }
        #expect(events == row.events)
        #expect(parser.lastEventID == row.lastEventID)
        #expect(parser.retryDelay == row.retry)
    }

    @Test func `text that is not UTF-8 is repaired`() throws {
        let (events, _) = try Self.parse(Array("data: ".utf8) + [0xFF, 0x0A, 0x0A]) { 1 }
        #expect(events == [Event(data: "\u{FFFD}")])
    }

    @Test func `an event ends with a carriage return at once`() throws {
        var parser = ServerSentEventParser(lastEventID: "", limit: 100)
        parser.append(Data("data: a\r\n\r".utf8))
        #expect(try parser.next() == Event(data: "a"))
        parser.append(Data("\ndata: b\r\r".utf8))
        #expect(try parser.next() == Event(data: "b"))
    }

    @Test func `another stream begins anew with the last ID`() throws {
        var parser = ServerSentEventParser(lastEventID: "", limit: 100)
        parser.append(Data("retry: 5\nid: 1\ndata: a\n\nid: 2\nevent: x\ndata: lost".utf8))
        #expect(try parser.next() == Event(data: "a", id: "1"))
        #expect(try parser.next() == nil)
        parser.startOver()
        parser.append(Data("\u{FEFF}data: b\n\n".utf8))
        #expect(try parser.next() == Event(data: "b", id: "1"))
        #expect(parser.retryDelay == .milliseconds(5))
    }

    @Test(
        arguments: brief([
            "data: 123456789", "data: 12\ndata: 345678", ": comment that is long", "data: 12345678901\n\n",
        ])
    )
    func `a line that is too large fails`(_ argument: Brief<String>) throws {
        let text = argument.value
        var parser = ServerSentEventParser(lastEventID: "", limit: 14)
        parser.append(Data("data: 12345678\n\n".utf8))
        #expect(try parser.next() == Event(data: "12345678"))
        parser.append(Data(text.utf8))
        let error = #expect(throws: TeapotError.self) { try parser.next() }
        #expect(error?.type == .responseTooLarge)
    }

    /// Differences that random cuts make in a stream of lines of every kind, with every line break.
    static func problems(_ generator: inout SeededGenerator) throws -> [String] {
        let names = ["data", "data:", "data: ", "id: ", "id", "event:", "retry: ", ":", "\u{FEFF}", "x: ", "", ""]
        let text = (0..<generator.number(1...12)).map { _ in
            generator.pick(names) + generator.pick(["", "1", "a", " b:", "ü\u{301}", "\0", "😀"])
                + generator.pick(["\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n", ""])
        }
        let bytes = Array(text.joined().utf8)
        let (events, whole) = try parse(bytes) { 1_000 }
        let (cutEvents, cut) = try parse(bytes) { generator.number(1...5) }
        let isSame = events == cutEvents && whole.lastEventID == cut.lastEventID && whole.retryDelay == cut.retryDelay
        return isSame ? [] : ["\(cutEvents), and not \(events), of \(text.joined().debugDescription)"]
    }
}
