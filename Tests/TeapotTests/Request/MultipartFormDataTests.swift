import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct MultipartFormDataTests {
    private func text(_ form: MultipartFormData) throws -> String {
        try String(decoding: form.data(), as: UTF8.self)
    }

    @Test(arguments: brief(["", "\r\n", "a\nb\rc", "ünï 😀", "%22\"\\", "\r\n--B\r\n", "\0", "e\u{301}"]))
    func `sends values unchanged`(_ argument: Brief<String>) throws {
        let value = argument.value
        var form = MultipartFormData(boundary: "B1")
        form.append(value, name: "n")
        let expected = "--B1\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n\(value)\r\n--B1--\r\n"
        #expect(try form.data() == Data(expected.utf8))
    }

    static let escapedNames: [(String, String)] = [
        ("", ""), ("plain", "plain"), ("a b;c=d,e", "a b;c=d,e"),
        ("a\"; filename=\"b", "a%22; filename=%22b"), ("\"", "%22"),
        ("a\r\nX-Injected: y", "a%0D%0AX-Injected: y"),
        ("\r\n\r\n--B1--\r\n", "%0D%0A%0D%0A--B1--%0D%0A"),
        ("a\"\u{301}b", "a%22\u{301}b"),
        ("ünï 😀.png", "ünï 😀.png"), ("e\u{301}", "e\u{301}"), ("\u{202E}gpj.exe", "\u{202E}gpj.exe"),
        ("a\\b/..", "a\\\\b/.."), ("\\\"", "\\\\%22"), ("a\\", "a\\\\"), ("\\\\h", "\\\\\\\\h"), ("100%", "100%"),
        ("%22", "%22"), ("%0D%0A", "%0D%0A"),
        ("filename*=UTF-8''x", "filename*=UTF-8''x"), ("a\u{2028}b\u{85}c", "a\u{2028}b\u{85}c"),
    ]

    @Test(arguments: brief(escapedNames))
    func `escapes names and filenames`(_ argument: Brief<(String, String)>) throws {
        let (name, escaped) = argument.value
        var form = MultipartFormData(boundary: "B1")
        form.append("v", name: name)
        form.append(Data("d".utf8), name: name, filename: name, contentType: "text/plain")
        let expected =
            "--B1\r\nContent-Disposition: form-data; name=\"\(escaped)\"\r\n\r\nv\r\n"
            + "--B1\r\nContent-Disposition: form-data; name=\"\(escaped)\"; filename=\"\(escaped)\"\r\n"
            + "Content-Type: text/plain\r\n\r\nd\r\n--B1--\r\n"
        #expect(try form.data() == Data(expected.utf8))
    }

    /// As in a browser (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data).
    static let lineBreaks: [(String, name: String, filename: String)] = [
        ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"),
        ("a\n\rb\n", "a%0D%0A%0D%0Ab%0D%0A", "a%0A%0Db%0A"),
        ("\r\r\n\n\r", "%0D%0A%0D%0A%0D%0A%0D%0A", "%0D%0D%0A%0A%0D"), ("\r", "%0D%0A", "%0D"),
        ("\r\u{301}\n\u{301}", "%0D%0A\u{301}%0D%0A\u{301}", "%0D\u{301}%0A\u{301}"),
    ]

    @Test(arguments: brief(lineBreaks))
    func `sends line breaks of a name as CR LF`(_ argument: Brief<(String, name: String, filename: String)>) throws {
        let (text, name, filename) = argument.value
        var form = MultipartFormData(boundary: "B1")
        form.append(Data("d".utf8), name: text, filename: text, contentType: "text/plain")
        #expect(try self.text(form).contains("name=\"\(name)\"; filename=\"\(filename)\"\r\n"))
    }

    static let invalidContentTypes = [
        "a\r\nX-Injected: y", "text/plain\r\n\r\n", "a\nb", "a\rb", "a\0b", "a\r\u{301}",
    ]

    @Test(arguments: brief(invalidContentTypes))
    func `refuses invalid content types`(_ argument: Brief<String>) throws {
        let contentType = argument.value
        var form = MultipartFormData(boundary: "B1")
        form.append(Data(), name: "a\"\r\nb\u{1B}", filename: nil, contentType: contentType)
        for encode in [{ _ = try form.data() }, { _ = try form.body() }] as [() throws -> Void] {
            let error = #expect(throws: TeapotError.self, performing: encode)
            #expect(error?.type == .invalidPayload)
            #expect(
                error?.failureReason
                    == "the content type of the part \"a%22%0D%0Ab\\u{1B}\" contains a line break or a NUL"
            )
        }
    }

    static let boundaries: [(String, String)] = [
        ("B1", "B1"), ("----WebKitFormBoundary7MA4YWxkTrZu0gW", "----WebKitFormBoundary7MA4YWxkTrZu0gW"),
        ("'+_.-", "'+_.-"), (String(repeating: "x", count: 70), String(repeating: "x", count: 70)),
        ("a b", "\"a b\""), ("a:b", "\"a:b\""), ("a=b", "\"a=b\""), ("a/b", "\"a/b\""), ("a?b", "\"a?b\""),
        ("a,b", "\"a,b\""), ("(a)", "\"(a)\""), (" a", "\" a\""),
    ]

    @Test(arguments: brief(boundaries))
    func `quotes the boundary where necessary`(_ argument: Brief<(String, String)>) throws {
        let (boundary, shown) = argument.value
        let form = MultipartFormData(boundary: boundary)
        #expect(form.boundary == boundary)
        #expect(form.contentType == "multipart/form-data; boundary=\(shown)")
        #expect(try form.body().contentType == form.contentType)
        #expect(try text(form) == "--\(boundary)--\r\n")
    }

    static let invalidBoundaries: [(String, String)] = [
        ("", "is empty"), (String(repeating: "x", count: 71), "has more than 70 characters"),
        ("a ", "ends in a space"), (" ", "ends in a space"),
        ("a\r\nX: y", "contains a character that a boundary must not have"),
        ("a\0", "contains a character that a boundary must not have"),
        ("a\"b", "contains a character that a boundary must not have"),
        ("a\\b", "contains a character that a boundary must not have"),
        ("a;b", "contains a character that a boundary must not have"),
        ("a*b", "contains a character that a boundary must not have"),
        ("a\tb", "contains a character that a boundary must not have"),
        ("ü", "contains a character that a boundary must not have"),
        ("e\u{301}", "contains a character that a boundary must not have"),
    ]

    @Test(arguments: brief(invalidBoundaries))
    func `refuses invalid boundaries`(_ argument: Brief<(String, String)>) throws {
        let (boundary, flaw) = argument.value
        var form = MultipartFormData(boundary: boundary)
        form.append("v", name: "n")
        for encode in [{ _ = try form.data() }, { _ = try form.body() }] as [() throws -> Void] {
            let error = #expect(throws: TeapotError.self, performing: encode)
            #expect(error?.type == .invalidPayload)
            #expect(error?.failureReason == "the boundary \(flaw)")
        }
    }

    @Test func `accepts an image`() throws {
        let teapot = try Teapot(baseURL: #require(URL(string: "http://h")))
        let bytes = Data("GIF89a\u{1}\0\u{1}\0".utf8)
        let image = try #require(TeapotImage(data: bytes))
        let body = teapot.multipartData(from: image, boundary: "B1", filename: "a.gif")
        #expect(body == teapot.multipartData(from: bytes, boundary: "B1", filename: "a.gif", name: "image"))
        let named = teapot.multipartData(from: image, boundary: "B1", filename: "a.gif", name: "a\"\r\nX: y")
        #expect(String(decoding: named, as: UTF8.self).contains("name=\"a%22%0D%0AX: y\"; filename=\"a.gif\"\r\n"))
    }
}
