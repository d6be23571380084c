internal import Foundation
internal import Teapot
internal import Testing

@Suite("A request parameter")
struct RequestParameterTests {
    @Test func isADictionary() {
        let parameter = RequestParameter(["b": 1, "a": "x"])
        #expect(parameter.dictionary?["b"] as? Int == 1)
        #expect(parameter.array == nil)
        #expect(parameter.data == Data(#"{"a":"x","b":1}"#.utf8))
    }

    @Test func isAnArray() {
        let parameter = RequestParameter([["a": 1], [:]])
        #expect(parameter.array?.count == 2)
        #expect(parameter.dictionary == nil)
        #expect(parameter.data == Data(#"[{"a":1},{}]"#.utf8))
    }

    @Test func isData() {
        let parameter = RequestParameter(Data([0, 255]))
        #expect(parameter.dictionary == nil)
        #expect(parameter.array == nil)
        #expect(parameter.data == Data([0, 255]))
    }

    @Test func isDataThatHoldsJSON() {
        let object = RequestParameter(Data(#"{ "a": 1 }"#.utf8))
        #expect(object.dictionary?["a"] as? Int == 1)
        #expect(object.array == nil)
        #expect(object.data == Data(#"{ "a": 1 }"#.utf8))
        let array = RequestParameter(Data(#"[{"a": 1}, {}]"#.utf8))
        #expect(array.array?.count == 2)
        #expect(array.dictionary == nil)
    }

    @Test(arguments: ["", "[1]", "1", "{", "a=b"])
    func isDataThatHoldsNeither(text: String) {
        let parameter = RequestParameter(Data(text.utf8))
        #expect(parameter.dictionary == nil)
        #expect(parameter.array == nil)
    }

    @Test func comesFromJSON() {
        #expect(RequestParameter(JSON(["a": 1])).dictionary?["a"] as? Int == 1)
        #expect(RequestParameter(JSON([["a": 1]])).array?.first?["a"] as? Int == 1)
    }

    @Test func hasNoDataThatJSONCannotHold() {
        #expect(RequestParameter(["a": Date()]).data == nil)
        #expect(RequestParameter([["a": Double.nan]]).data == nil)
    }
}
