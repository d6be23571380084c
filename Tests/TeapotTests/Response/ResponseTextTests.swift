import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct ResponseTextTests {
    private func response(_ fields: [String: String], _ bytes: [UInt8] = []) throws -> Teapot.Response {
        let url = try #require(URL(string: "http://h"))
        let http = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        return Teapot.Response(data: Data(bytes), http: http)
    }

    private static let umlaut: [UInt8] = [0x74, 0xFC]

    @Test(
        arguments: brief(
            [
                ("text/plain", [0x74, 0xC3, 0xBC], "tü"), ("text/plain; charset=utf-8", [0x74, 0xC3, 0xBC], "tü"),
                ("text/plain; charset=\"UTF8\"", [0x74, 0xC3, 0xBC], "tü"), ("", [0x74, 0xC3, 0xBC], "tü"),
                ("text/plain; charset=ISO-8859-1", umlaut, "tü"), ("text/plain;charset=latin1", umlaut, "tü"),
                ("text/plain; charset=iso-8859-1", [0x80], "\u{80}"),
                ("text/plain; charset=windows-1252", [0x80, 0xFC], "€ü"),
                ("text/plain; charset=us-ascii", [0x74], "t"), ("text/plain; charset=us-ascii", umlaut, nil),
                ("text/plain; charset=utf-16", [0x00, 0x74, 0x00, 0xFC], "tü"),
                ("text/plain; charset=utf-16be", [0x00, 0x74, 0x00, 0xFC], "tü"),
                ("text/plain; charset=utf-16le", [0x74, 0x00, 0xFC, 0x00], "tü"),
                // A byte order mark goes first.
                ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x00, 0x74], "t"),
                ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x74, 0x00], "t"),
                ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0xC3, 0xBC], "ü"), ("", [0xEF, 0xBB, 0xBF], ""),
                ("text/plain; charset=koi8", [0xEF, 0xBB, 0xBF, 0x74], "t"), ("", [0xFF, 0xFE], ""),
                // Bytes that are not valid text in their charset.
                ("text/plain", umlaut, nil), ("", [0xC3], nil), ("", [0xED, 0xA0, 0x80], nil),
                ("text/plain; charset=utf-16", [0x00], nil), ("text/plain; charset=utf-16le", [0x00, 0xD8], nil),
                ("text/plain; charset=windows-1252", [0x81], nil),
                // An unknown charset.
                ("text/plain; charset=koi8", [0x74], nil), ("text/plain; charset=", [0x74], nil),
                // Nothing is the empty text, in any charset that is known.
                ("text/plain", [], ""), ("text/plain; charset=utf-16", [], ""), ("text/plain; charset=koi8", [], nil),
                ("", [0x00], "\u{0}"),
            ] as [(String, [UInt8], String?)]
        )
    )
    func `is decoded by its charset`(_ argument: Brief<(String, [UInt8], String?)>) throws {
        let (contentType, bytes, text) = argument.value
        let fields = contentType.isEmpty ? [:] : ["Content-Type": contentType]
        let decoded = try response(fields, bytes).text
        #expect(decoded.map { Array($0.unicodeScalars) } == text.map { Array($0.unicodeScalars) })
    }

    @Test func `a slice of bytes is decoded, too`() throws {
        let http = try response([:]).http
        let data = Data([0x00, 0xEF, 0xBB, 0xBF, 0x74]).dropFirst()
        #expect(Teapot.Response(data: data, http: http).text == "t")
    }

    /// A decoder that notes the bodies that it gets.
    private final class NotingDecoder: JSONDecoder, @unchecked Sendable {
        let bodies = Locked<[Data]>([])

        override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            bodies.withLock { $0.append(data) }
            return try super.decode(type, from: data)
        }
    }

    /// A copy of the bytes as text would be for nothing.
    @Test(
        arguments: [
            (#"{"a":"ü"}"#, .utf8, 1), (#"{"a":"ü"}"#, .isoLatin1, 2), (#"{"ü":"b"}"#, .isoLatin1, 2), ("{", .utf8, 1),
            (#"{"a":1,"b":"ü"}"#, .isoLatin1, 2), ("ü", .isoLatin1, 2),
        ] as [(String, String.Encoding, Int)]
    )
    func `JSON is decoded from the bytes as they are, and only if that fails from their text`(
        text: String,
        encoding: String.Encoding,
        count: Int
    ) throws {
        let bytes = Array(try #require(text.data(using: encoding)))
        let response = try response(["Content-Type": "application/json; charset=iso-8859-1"], bytes)
        let decoder = NotingDecoder()
        let decoded = try? response.decode([String: String].self, using: decoder)
        #expect(decoded == (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))))
        let bodies = decoder.bodies.withLock { $0 }
        #expect(bodies == Array([Data(bytes), Data(text.utf8)].prefix(count)))
    }

    @Test(arguments: [#""v1""#, #"W/"v1""#, #""""#, "unquoted"])
    func `an entity tag stands as the server sent it`(tag: String) throws {
        #expect(try response(["etag": tag]).headerFields["ETag"] == tag)
        #expect(try response([:]).headerFields["ETag"] == nil)
    }
}
