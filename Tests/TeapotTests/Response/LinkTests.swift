import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct LinkTests {
    private func response(_ link: String?, at url: String = "https://h.example/api/issues?page=2") throws
        -> Teapot.Response
    {
        let fields = link.map { ["Link": $0] }
        let url = try #require(URL(string: url))
        let http = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        return Teapot.Response(data: Data(), http: http)
    }

    /// Each link as `relations URL`.
    @Test(
        arguments: brief(
            [
                // As GitHub sends them.
                (
                    #"<https://h.example/api/issues?page=3>; rel="next", <https://h.example/api/issues?page=9>; rel="last""#,
                    ["next https://h.example/api/issues?page=3", "last https://h.example/api/issues?page=9"]
                ),
                // RFC 8288, section 3.5.
                (
                    #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#,
                    ["previous http://example.com/TheBook/chapter2"]
                ),
                (
                    "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
                        + "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
                    ["previous https://h.example/TheBook/chapter2", "next https://h.example/TheBook/chapter4"]
                ),
                (
                    #"<http://example.org/>; rel="start http://example.net/relation/other""#,
                    ["start http://example.net/relation/other http://example.org/"]
                ),
                (
                    "<https://example.org/>; rel=\"start\", <https://example.org/index>; rel=\"index\"",
                    ["start https://example.org/", "index https://example.org/index"]
                ),
                // Commas, semicolons and brackets that are a part of something else.
                (
                    #"</a,b;c?d,e>; rel=next; title="x, <y>; rel=\"last\"", </f>; rel=last"#,
                    ["next https://h.example/a,b;c?d,e", "last https://h.example/f"]
                ),
                // Relative references (RFC 3986, section 5.4).
                ("<?page=3>; rel=next", ["next https://h.example/api/issues?page=3"]),
                ("<notes>; rel=next", ["next https://h.example/api/notes"]),
                ("<../x/./y>; rel=next", ["next https://h.example/x/y"]),
                ("<../../../x>; rel=next", ["next https://h.example/x"]),
                ("<//o.example/a>; rel=next", ["next https://o.example/a"]),
                ("<>; rel=self", ["self https://h.example/api/issues?page=2"]),
                ("<#part>; rel=self", ["self https://h.example/api/issues?page=2"]),
                ("<HTTPS://H.example/ü b>; rel=a", ["a https://H.example/%C3%BC%20b"]),
                ("<https://user:secret@h.example/a>; rel=next", ["next https://h.example/a"]),
                // Forms that are unusual, or wrong.
                ("<a>;rel=NEXT", ["next https://h.example/api/a"]),
                ("<a>; rel=\"next\tlast \t first\"", ["next last first https://h.example/api/a"]),
                (" , ,<a> ;\trel = \"next\" ;, ", ["next https://h.example/api/a"]),
                ("<a>; rel=next; rel=last", ["next https://h.example/api/a"]),
                ("<a>; REL=\" next  last \"", ["next last https://h.example/api/a"]),
                ("<a> junk; rel=next, <b>; rel=last", ["last https://h.example/api/b"]),
                (
                    "<a>; rel=\"next\"junk, <b>; rel=last",
                    ["next https://h.example/api/a", "last https://h.example/api/b"]
                ),
                ("<a>, <b>; rel=last", ["last https://h.example/api/b"]),
                ("<a>; rel=\"\", <b>; rel=last", ["last https://h.example/api/b"]),
                ("<a>; rel=\"next, <b>; rel=last", ["next, <b>; rel=last https://h.example/api/a"]),
                ("<a>; rel=next <b>; rel=last", ["next https://h.example/api/a"]),
                ("<mailto:a@b>; rel=next, <ftp://h/a>; rel=next, <javascript:x>; rel=next, <http:///a>; rel=next", []),
                ("", []), ("<", []), ("<a", []), ("a>; rel=next", []), ("<a>", []), ("<a>;", []), ("<a>; =", []),
                ("<a>; rel", []),
                ("rel=next; <a>", []), (",,,", []), ("<\u{1}>; rel=next", []),
                ("<a>; rel=\"next\\", ["next https://h.example/api/a"]),
            ] as [(String, [String])]
        )
    )
    func `are parsed and resolved`(_ argument: Brief<(String, [String])>) throws {
        let (field, links) = argument.value
        let parsed = try response(field).links
        #expect(parsed.map { ($0.relations + [$0.url.absoluteString]).joined(separator: " ") } == links)
    }

    @Test func `parameters keep their values`() throws {
        let field =
            ##"<a>; rel="next"; Title="x \"y\""; title=other; title*=UTF-8'de'n%c3%a4chstes; anchor="#a"; flag"##
        let link = try #require(try response(field).links.first)
        #expect(
            link.parameters == [
                "rel": "next", "title": #"x "y""#, "title*": "UTF-8'de'n%c3%a4chstes", "anchor": "#a", "flag": "",
            ]
        )
        #expect(try response(nil).links.isEmpty)
    }

    @Test func `the first link of a relation type from the response itself is found`() throws {
        let response = try response(#"<a>; rel=next; anchor="/other", <b>; rel="prev Next", <c>; rel=next"#)
        #expect(response.link(relation: "next")?.url.lastPathComponent == "b")
        #expect(response.link(relation: "PREV")?.url.lastPathComponent == "b")
        #expect(response.link(relation: "last") == nil)
    }

    @Test func `a link describes itself without its secrets`() throws {
        let link = try #require(try response("<a?access_token=hush-hush>; rel=\"next a\u{1B}b\"").links.first)
        #expect(!"\(link)".contains("hush-hush") && !"\(link)".contains("\u{1B}"))
        #expect("\(link)".hasSuffix("https://h.example/api/a?access_token=<redacted>"))
    }

    @Test func `a long field is parsed in time`() throws {
        #expect(try response(String(repeating: "<a>; rel=next, ", count: 5_000)).links.count == 5_000)
        #expect(try response(String(repeating: "<", count: 200_000)).links.isEmpty)
        #expect(try response("<a>; rel=\"" + String(repeating: "\\", count: 200_000)).links.count == 1)
    }

    // MARK: - Requests

    @Test(arguments: brief(["mailto:a@b", "http://", "\n", "ftp://h/a"]))
    func `an invalid reference is refused`(_ argument: Brief<String>) throws {
        let reference = argument.value
        let response = try response(nil)
        let error = #expect(throws: TeapotError.self) { try response.request(for: reference) }
        #expect(error?.type == .invalidRequestPath)
        #expect(error?.failureReason == "the reference does not resolve to an http or https URL")
    }
}
