import Foundation
import TestSupport
import Testing

import TestTraits
@testable internal import Teapot

/// A lot of what a rule finds hardest to read. A rule whose time grows with the square of the length takes minutes for it;
/// these take a fraction of a second each, and the limit of the processor's time is only there to end them.
///
/// In a process of its own, so that it keeps no thread from other tests.
@Suite(.inTurn, .exitTests)
struct LongInputTests {
    static let pieces = [
        "a", "=", "a=b;", "token=\"", "\"token\":\"", "12:", "//", "<a>", "Bearer ", "%41", "../", "\r\n", "\u{301}",
        "\u{1B}",
        "[", "a, ", ", ", "{\"", "<a>;rel=n,", "=1, ;path=/",
    ]

    @Test func `takes time that grows with it`() async {
        await #expect(processExitsWith: .success) {
            // Has the system end the process after so many seconds of the processor's time, which are the same on a busy machine.
            var limit = rlimit(rlim_cur: 60, rlim_max: 60)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0)
            for piece in LongInputTests.pieces {
                LongInputTests.show(piece)
                try LongInputTests.read(piece)
                try LongInputTests.send(piece)
            }
        }
    }

    private static func much(_ piece: String) -> String {
        String(repeating: piece, count: 20_000 / piece.utf8.count)
    }

    private static func show(_ piece: String) {
        let text = much(piece)
        for text in [text, "token=\(text)", "<token>\(text)"] {
            #expect(!SecretPolicy.standard.redacted(text: text).isEmpty)
        }
        _ = SecretPolicy.standard.isSecret(text)
        #expect(!MessageTemplate.filled(text, with: ["a", "b"]).isEmpty)
    }

    private static func read(_ piece: String) throws {
        let text = much(piece)
        var splitter = LineSplitter()
        var count = 0
        for start in stride(from: 0, to: text.utf8.count, by: 1_000) {
            splitter.append(Data(text.utf8.dropFirst(start).prefix(1_000)))
            while let line = splitter.next() { count += line.utf8.count }
        }
        count += splitter.last()?.utf8.count ?? 0
        #expect(count == text.utf8.count { $0 != 0x0A && $0 != 0x0D })
        _ = ContentRange(text)
        _ = ContentRange("bytes \(text)")
        _ = try? JSON(data: Data(text.utf8))
        _ = ResumeValidator.isValid(text)
        _ = BundleStrings.texts(in: Data("\"Teapot:A\" = \"\(text)\";".utf8))
        let url = try #require(URL(string: "http://h/a"))
        let fields = [
            "Location": text, "ETag": text, "Last-Modified": text, "Date": text, "Set-Cookie": "a=b; Expires=\(text)",
            "Content-Type": text, "Link": text, "WWW-Authenticate": text, "Retry-After": text, "Server": text,
        ]
        let response = ResponseHead(url: url, status: 302, lines: FieldLines(fields))
        _ = RedirectPolicy(secrets: .standard).decision(for: URLRequest(url: url), response, after: 0)
        _ = ResumeValidator.of(response)
        let jar = try #require(CookieJar())
        jar.store(response, from: url)
        // One that begins another cookie leaves it open which of them has which attributes.
        let isClear = !text.holdsControlCharacters && piece != "=1, ;path=/"
        #expect(jar.header(for: url) == (isClear ? "a=b" : nil))
        // Each is compared with the path.
        for number in 0..<50 {
            jar.keep(Teapot.Cookie(name: "c\(number)", value: "d", domain: "h"), isSecure: true, at: Date())
        }
        if let long = url.resolving("/\(text)"), Origin(long) == Origin(url) {
            #expect(jar.header(for: long) != nil)
        }
        _ = response.retryAfter
        let whole = Teapot.Response(data: Data(), head: response, details: .none)
        _ = (whole.text, whole.links, whole.challenges, "\(whole.headerFields)")
    }

    private static func send(_ piece: String) throws {
        let text = much(piece)
        let url = try #require(URL(string: "http://h/v1"))
        let base = try #require(BaseURL(url))
        for path in [text, "/a/\(text)", "a?\(text)", "http://h/\(text)"] { _ = try? base.appending(Teapot.Path(path)) }
        _ = try? base.appending("a", query: [text: text])
        try? HeaderFieldRules.check(["X-Text": text])
        try? HeaderFieldRules.check([text: "x"])
        var form = MultipartFormData(boundary: "B1")
        form.append(Data(), name: text, filename: text)
        _ = try? form.data()
        _ = Credential.basic(username: text, password: text)
        #expect(Teapot.HTTPMethod(rawValue: text) == nil)
    }
}
