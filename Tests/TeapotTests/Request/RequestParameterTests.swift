import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct RequestParameterTests {
    @Test func `is a dictionary`() {
        let parameter = RequestParameter(["b": 1, "a": "x"])
        #expect(parameter.dictionary?["b"] as? Int == 1)
        #expect(parameter.array == nil)
        #expect(parameter.data == Data(#"{"a":"x","b":1}"#.utf8))
    }

    @Test func `is an array`() {
        let parameter = RequestParameter([["a": 1], [:]])
        #expect(parameter.array?.count == 2)
        #expect(parameter.dictionary == nil)
        #expect(parameter.data == Data(#"[{"a":1},{}]"#.utf8))
    }

    @Test func `is data`() {
        let parameter = RequestParameter(Data([0, 255]))
        #expect(parameter.dictionary == nil)
        #expect(parameter.array == nil)
        #expect(parameter.data == Data([0, 255]))
    }

    @Test func `is data that holds JSON`() {
        let object = RequestParameter(Data(#"{ "a": 1 }"#.utf8))
        #expect(object.dictionary?["a"] as? Int == 1)
        #expect(object.array == nil)
        #expect(object.data == Data(#"{ "a": 1 }"#.utf8))
        let array = RequestParameter(Data(#"[{"a": 1}, {}]"#.utf8))
        #expect(array.array?.count == 2)
        #expect(array.dictionary == nil)
    }

    @Test(arguments: ["", "[1]", "1", "{", "a=b"])
    func `is data that holds neither`(text: String) {
        let parameter = RequestParameter(Data(text.utf8))
        #expect(parameter.dictionary == nil)
        #expect(parameter.array == nil)
    }

    @Test func `comes from JSON`() {
        #expect(RequestParameter(JSON(["a": 1])).dictionary?["a"] as? Int == 1)
        #expect(RequestParameter(JSON([["a": 1]])).array?.first?["a"] as? Int == 1)
    }

    @Test func `has no data that JSON cannot hold`() {
        #expect(RequestParameter(["a": Date()]).data == nil)
        #expect(RequestParameter([["a": Double.nan]]).data == nil)
    }
}
