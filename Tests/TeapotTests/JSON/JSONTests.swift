import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct JSONTests {
    @Test func `is a dictionary`() throws {
        let json = try JSON(data: Data(#"{"b":[1,{"c":null}],"a":"ü"}"#.utf8))
        #expect(json.dictionary?["a"] as? String == "ü")
        #expect(json.array == nil)
        #expect(json.data == Data(#"{"a":"ü","b":[1,{"c":null}]}"#.utf8))
    }

    @Test func `is an array`() throws {
        let json = try JSON(data: Data(#" [{"a":1},{}] "#.utf8))
        #expect(json.array?.first?["a"] as? Int == 1)
        #expect(json.array?.count == 2)
        #expect(json.dictionary == nil)
        #expect(json.data == Data(#"[{"a":1},{}]"#.utf8))
    }

    @Test func `is a dictionary or an array`() throws {
        func name(_ json: JSON) -> String {
            switch json {
            case .dictionary: "dictionary"
            case .array: "array"
            }
        }
        #expect(try name(JSON(data: Data("{}".utf8))) == "dictionary")
        #expect(try name(JSON(data: Data("[]".utf8))) == "array")
        #expect(name(JSON([:])) == "dictionary")
        #expect(name(JSON([["a": 1]])) == "array")
    }

    static let otherTexts = [
        "", " ", "1", "null", "true", "\"x\"", "[1]", "[{},1]", "[[]]", "[null]", "{", "[{}", "{}{}", "{'a':1}",
        "{a:1}",
        #"{"a":NaN}"#, #"{"a":"\ud800"}"#, "{\"a\":\"\n\"}", "\u{FEFF}", "<html></html>", "\0",
    ]

    @Test(arguments: brief(otherTexts))
    func `is not made from other values`(_ argument: Brief<String>) throws {
        let text = argument.value
        let data = Data(text.utf8)
        let error = #expect(throws: TeapotError.self) { try JSON(data: data) }
        #expect(error?.type == .decodingFailed)
        #expect(error?.data == data)
        #expect(error?.failureReason?.isEmpty == false)
        #expect(error?.json == nil)
    }

    @Test func `is not made from other bytes`() {
        let error = #expect(throws: TeapotError.self) { try JSON(data: Data([0xFF, 0xD8, 0xFF, 0xE0, 0])) }
        #expect(error?.type == .decodingFailed)
    }

    @Test func `has no data for other values`() {
        #expect(JSON(["a": Date()]).data == nil)
        #expect(JSON([["a": Double.infinity]]).data == nil)
    }

    static let deepTexts = [
        String(repeating: "[", count: 100_000),
        String(repeating: "[", count: 511) + String(repeating: "]", count: 511),
        String(repeating: #"{"a":"#, count: 100_000),
        String(repeating: #"{"a":"#, count: 511) + "1" + String(repeating: "}", count: 511),
        #"{"a":"# + String(repeating: "[", count: 509) + String(repeating: "]", count: 509) + "}",
    ]

    @Test(arguments: brief(deepTexts))
    func `fits a small stack`(_ argument: Brief<String>) async {
        let text = argument.value
        let outcome = await onSmallStack {
            let parsed = try? JSON(data: Data(text.utf8))
            // A parsed value can be too deep to be written, which must not crash either.
            return [parsed?.data == nil, RequestBodyType.of(text)]
        }
        #expect(outcome == [true, true])
    }

    private enum RequestBodyType {
        static func of(_ text: String) -> Bool {
            ["application/json", "application/octet-stream"].contains(Teapot.Request.Body(Data(text.utf8)).contentType)
        }
    }
}
