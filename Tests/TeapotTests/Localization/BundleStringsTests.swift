import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct BundleStringsTests {
    private static let key = "Teapot:NoResponse"
    private static let file = #"/* Größe */ "Teapot:NoResponse" = "Größe: \"%@\"\n";"#
    private static let text = "Größe: \"%@\"\n"

    @Test func `is read from UTF-8`() throws {
        let latin1 = try #require(Self.file.data(using: .isoLatin1))
        #expect(BundleStrings.texts(in: latin1)[Self.key] == nil)
        #expect(BundleStrings.texts(in: Data(Self.file.utf8))[Self.key] == Self.text)
        #expect(BundleStrings.texts(in: Data("\u{FEFF}\(Self.file)".utf8))[Self.key] == Self.text)
    }

    @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian])
    func `is read from UTF-16 with a byte order mark`(_ encoding: String.Encoding) throws {
        let data = try #require("\u{FEFF}\(Self.file)".data(using: encoding))
        #expect(BundleStrings.texts(in: data)[Self.key] == Self.text)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func `is read from a compiled file`(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: [Self.key: Self.text],
            format: format,
            options: 0
        )
        #expect(BundleStrings.texts(in: data)[Self.key] == Self.text)
    }

    @Test(arguments: [
        "", #""Teapot:NoResponse" = "no semicolon""#, #""Teapot:NoResponse" = "no end;"#,
        #""Teapot:NoResponse" "no sign";"#,
        "just text", #"("Teapot:NoResponse")"#, "/* no end", "}", "{\"Teapot:NoResponse\": 1}",
    ])
    func `is empty when the file is missing or broken`(_ file: String) {
        #expect(BundleStrings.texts(in: Data(file.utf8)).isEmpty)
        #expect(BundleStrings.texts(in: nil).isEmpty)
    }

    @Test(arguments: [
        #""Teapot:NoResponse" = "";"#, #""Teapot:NoResponse" = ("a", "b");"#, #""Teapot:NoResponse" = { a = "b"; };"#,
        #""Teapot:NoResponse" = <0102>;"#, #""Teapot:NoResponse" = "Teapot:NoResponse";"#,
        #""teapot:noresponse" = "a";"#, #""Title" = "My app";"#,
    ])
    func `has no text for an entry without one`(_ entry: String) {
        let texts = BundleStrings.texts(in: Data("\(entry) \"MockTeapot:Other\" = \"kept\";".utf8))
        #expect(texts == ["MockTeapot:Other": "kept"])
    }
}
