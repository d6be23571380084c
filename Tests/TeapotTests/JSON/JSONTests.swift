import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct JSONTests {
    @Test func `is a dictionary or an array of them`() throws {
        let object = try JSON(data: Data(#"{"b":[1,{"c":null}],"a":"ü"}"#.utf8))
        #expect(object.dictionary?["a"] as? String == "ü")
        #expect(object.array == nil)
        #expect(object.data == Data(#"{"a":"ü","b":[1,{"c":null}]}"#.utf8))
        let array = try JSON(data: Data(#" [{"a":1},{}] "#.utf8))
        #expect(array.array?.first?["a"] as? Int == 1)
        #expect(array.array?.count == 2)
        #expect(array.dictionary == nil)
        #expect(array.data == Data(#"[{"a":1},{}]"#.utf8))
        #expect(JSON(["a": Date()]).data == nil)
    }

    @Test func `can be a parameter, and bytes of it, too`() {
        #expect(RequestParameter(JSON(["a": 1])).dictionary?["a"] as? Int == 1)
        #expect(RequestParameter(JSON([["a": 1]])).array?.first?["a"] as? Int == 1)
        let object = RequestParameter(Data(#"{ "a": 1 }"#.utf8))
        #expect(object.dictionary?["a"] as? Int == 1)
        #expect(object.array == nil)
        #expect(object.data == Data(#"{ "a": 1 }"#.utf8))
        #expect(RequestParameter(Data(#"[{"a": 1}, {}]"#.utf8)).array?.count == 2)
        #expect(RequestParameter(Data("[1]".utf8)).array == nil)
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
}
