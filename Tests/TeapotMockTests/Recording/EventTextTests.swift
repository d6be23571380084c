@testable import TeapotMock
import Teapot
import TestSupport
import TestTraits
import Testing

/// The events of a stream in a recording.
@Suite(.inTurn)
struct EventTextTests {
    private static func redacted(_ text: String) -> String? {
        let policy = SecretPolicy.off.adding(["token"]).adding(secrets: ["hush", "314159"])
        var redactor = RecordingRedactor(policy, Placeholders(), keeping: [])
        return try? redactor.body(text, mediaType: "text/event-stream;charset=utf-8").unnumbered
    }

    static let texts: [(String, String)] = [
        // Events: lines end in LF, CR LF or CR, and the blank after the colon may be missing.
        (
            "event: a\nid: token=x\ndata: {\"token\":\"x\"}\n\n",
            "event: a\nid: token=<redacted>\ndata: {\"token\":\"<redacted>\"}\n\n"
        ),
        ("data:{\"token\":\"x\"}\r\n\r\ndata:[1]\r\n", "data:{\"token\":\"<redacted>\"}\r\n\r\ndata:[1]\r\n"),
        (
            ": token=x\rdata: {\rdata: \"a\":[{\rdata:\"token\" :\rdata: \"x\"}]}\r\r",
            ": token=<redacted>\rdata: {\rdata: \"a\":[{\rdata:\"token\" :\rdata: \"<redacted>\"}]}\r\r"
        ),
        (
            "data: {\"token\":[\ndata: \"x\"\ndata: ],\ndata: \"a\":1}\n\n",
            "data: {\"token\":\"<redacted>\",\ndata: \"a\":1}\n\n"
        ),
        (
            "data: 1\ndata: {\"a\":314159,\"b\":3141590}\n\ndata: [DONE]\n\n",
            "data: 1\ndata: {\"a\":\"<redacted>\",\"b\":3141590}\n\ndata: [DONE]\n\n"
        ),
        ("\u{FEFF}data: \"token=x \\\"hush\\\"\"\n\n", "\u{FEFF}data: \"token=<redacted> \\\"<redacted>\\\"\"\n\n"),
        ("data: {\"id\":1}\ndata: token=x\n\n", "data: {\"id\":1}\ndata: token=<redacted>\n\n"),
        ("data: {\ndata:\"a\":\ndata:1}\n\n", "data: {\ndata:\"a\":\ndata:1}\n\n"),
        ("data\n\n:\n\ndata:\n", "data\n\n:\n\ndata:\n"),
        // Only an empty line ends an event.
        ("data: {\"token\":\n: ping\ndata: \"x\"}\n\n", "data: {\"token\":\n: ping\ndata: \"<redacted>\"}\n\n"),
        (
            "data: {\"token\":\nid: 7\ndata\ndata:\"x\"}\n\n",
            "data: {\"token\":\nid: 7\ndata:\ndata:\"<redacted>\"}\n\n"
        ),
        ("data: {\"a\":\nid: 7\ndata\ndata:\"x\"}\n\n", "data: {\"a\":\nid: 7\ndata\ndata:\"x\"}\n\n"),
        ("", ""), ("data: {\"token\":1}", "data: {\"token\":\"<redacted>\"}"),
        // Of an event that is cut off or broken, only that is lost.
        ("data: {\"a\":1}\n\ndata: {\"delta\": \"abc", "data: {\"a\":1}\n\ndata: <redacted>"),
        ("id: 1\ndata: [\"a\",\ndata: \"b\n\ndata: [2]\n\n", "id: 1\ndata: <redacted>\n\ndata: [2]\n\n"),
        (
            "data: {\"a\":1,\"token\":\"x\r\n\r\ndata: {\"token\":\"x\"}\r\n\r\n",
            "data: <redacted>\r\n\r\ndata: {\"token\":\"<redacted>\"}\r\n\r\n"
        ),
        ("data: {\"a\":[1,\r\rdata: {\"b\":2}\r\r", "data: <redacted>\r\rdata: {\"b\":2}\r\r"),
        ("event: a\ndata: {\"a\":{\"token\": x},\"b\":\"http:\\/\\/u:x@h\"\n\n", "event: a\ndata: <redacted>\n\n"),
        // A line break in a string, which two lines of an event make.
        ("data: [\"x\ndata: y\"]\n\ndata: [2]\n\n", "data: <redacted>\n\ndata: [2]\n\n"),
        ("data: {\"x\ndata: y\":1}\n\n", "data: <redacted>\n\n"),
        ("data: \"x\r\ndata: y\"\r\n\r\n", "data: <redacted>\r\n\r\n"),
        ("data: {\"token\":\"x\ndata: y\"}\n\n", "data: <redacted>\n\n"),
        ("data: [\"x\\\ndata: y\"]\n\n", "data: <redacted>\n\n"),
        ("data: [[\"x\\q\"]]\n\n", "data: <redacted>\n\n"), ("data: [\"x\ty\"]\n\n", "data: <redacted>\n\n"),
        ("data: [1, \"x\" \"y\"]\n\n", "data: <redacted>\n\n"), ("data: {token: \"x\"}\n\n", "data: <redacted>\n\n"),
        ("data: [\ndata: \"a\"\ndata: ]\n\n", "data: [\ndata: \"a\"\ndata: ]\n\n"),
        ("data: [DONE]\n\n", "data: [DONE]\n\n"), ("data: [see \"this\"]\n\n", "data: [see \"this\"]\n\n"),
        ("data: \"Hi\", she said\n\n", "data: \"Hi\", she said\n\n"),
        ("data: {\"a\":1} x\n\n", "data: {\"a\":1} x\n\n"), ("data: [DONE", "data: [DONE"),
    ]

    @Test(arguments: brief(texts))
    func `lose only the secrets, or what may hide one`(_ argument: Brief<(String, String)>) {
        let (text, expected) = argument.value
        #expect(Self.redacted(text) == expected)
    }
}
