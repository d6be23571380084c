import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct PercentEncodingTests {
    static let encodedCharacters = [
        ("", ""), ("az-AZ.09_~", "az-AZ.09_~"), ("%41%2f", "%41%2f"), ("a/b?c:d@e", "a/b?c:d@e"),
        ("!$&'()*+,;=", "!$&'()*+,;="), (" ", "%20"), ("#[]", "%23%5B%5D"),
        ("\"<>\\^`{|}", "%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("\u{1}\u{7F}", "%01%7F"), ("ü", "%C3%BC"), ("😀", "%F0%9F%98%80"),
    ]

    @Test(arguments: brief(encodedCharacters))
    func `encodes stray characters`(_ argument: Brief<(String, String)>) {
        let (text, encoded) = argument.value
        #expect(PercentEncoding.encodeStray(text) == encoded)
    }

    @Test(arguments: [
        ("", ""), ("/a", "/a"), ("/%c3%Bc%2f", "/%C3%BC%2F"), ("%%ab%a", "%%AB%a"), ("/%za%g1", "/%za%g1"),
        ("ab", "ab"),
    ])
    func `writes escapes in uppercase`(text: String, uppercase: String) {
        #expect(PercentEncoding.uppercaseEscapes(text) == uppercase)
    }

    @Test func `encodes all but unreserved characters`() {
        #expect(PercentEncoding.encodeAll("az-AZ.09_~") == "az-AZ.09_~")
        #expect(PercentEncoding.encodeAll("%41/?:@+&=;, ü\n") == "%2541%2F%3F%3A%40%2B%26%3D%3B%2C%20%C3%BC%0A")
    }

    @Test(arguments: [
        ("", true), ("a", true), ("%41", true), ("%aF%Fa", true), ("%25zz", true), ("%", false), ("%4", false),
        ("a%4", false), ("%4g", false), ("%%41", false), ("%41%", false), ("% 41", false), ("%-1", false),
        ("%ü", false),
    ])
    func `recognizes whole escapes`(text: String, isWhole: Bool) {
        #expect(PercentEncoding.hasOnlyWholeEscapes(text) == isWhole)
    }
}
