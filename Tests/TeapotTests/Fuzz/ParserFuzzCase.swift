import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable internal import Teapot
@testable internal import TeapotMock

/// The input of a server or a file for one of the parsers.
enum ParserFuzzCase: CaseIterable {
    case lines, events, contentRange, image, redirect, cookies, joinedCookies, secrets, json, record, links

    /// - Returns: What is wrong.
    func problems(_ generator: inout SeededGenerator) throws -> [String] {
        let problems: [String] =
            switch self {
            case .lines: Self.lines(&generator)
            case .events: try ServerSentEventParserTests.problems(&generator)
            case .contentRange: Self.contentRange(&generator)
            case .image: try Self.image(&generator)
            case .redirect: try Self.redirect(&generator)
            case .cookies: try Self.cookies(&generator)
            case .joinedCookies: try Self.joinedCookies(&generator)
            case .secrets: Self.secrets(&generator)
            case .json: Self.json(&generator)
            case .record: try Self.record(&generator)
            case .links: try Self.links(&generator)
            }
        return problems.map { "\(self): \($0)" }
    }

    // MARK: - Bodies

    /// The lines are the same however the bytes are cut, and hold no break.
    private static func lines(_ generator: inout SeededGenerator) -> [String] {
        let bytes = (0..<generator.number(0...30)).map { _ in
            generator.pick([0x0D, 0x0A, 0x0A, 0x61, 0xC3, 0xBC, 0xFF, 0] as [UInt8])
        }
        func lines(inPiecesOf size: Int) -> [String] {
            var splitter = LineSplitter()
            var lines: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                splitter.append(Data(bytes[start...].prefix(size)))
                while let line = splitter.next() { lines.append(line) }
            }
            return lines + [splitter.last()].compactMap(\.self)
        }
        let cut = lines(inPiecesOf: generator.number(1...6))
        let isRight = cut == lines(inPiecesOf: 30) && !cut.joined().utf8.contains { $0 == 0x0D || $0 == 0x0A }
        return isRight ? [] : ["\(cut) of \(bytes)"]
    }

    private static func image(_ generator: inout SeededGenerator) throws -> [String] {
        let bytes = try Array(generator.pick(ImageFixture.all).data())
        let data = Data(Mutation.damage(Array(bytes.prefix(400)), times: generator.number(0...4), &generator))
        let format = Teapot.ImageFormat(signatureOf: data)
        return format == Teapot.ImageFormat(signatureOf: (Data(count: 7) + data).dropFirst(7))
            ? [] : ["\(String(describing: format))"]
    }

    private static func json(_ generator: inout SeededGenerator) -> [String] {
        let text = #"{"a":[1,-2.5e3,null,true,{"b":"\u00fc\ud83d\ude00"}],"token":"x"}"#
        let data = Data(Mutation.damage(Array(text.utf8), times: generator.number(0...4), &generator))
        guard let json = try? JSON(data: data) else { return [] }
        return json.data == nil ? ["it cannot be written again"] : []
    }

    // MARK: - Header fields

    private static func contentRange(_ generator: inout SeededGenerator) -> [String] {
        let numbers = (0..<3).map { _ in generator.pick([0, 1, 2, 99, 100, Int.max - 1, Int.max]) }
        let isSizeKnown = generator.number(0...1) == 0
        let text = "bytes \(numbers[0])-\(numbers[1])/\(isSizeKnown ? "\(numbers[2])" : "*")"
        let damage = Mutation.damage(Array(text.utf8), times: generator.pick([0, 1, 2]), &generator)
        let range = ContentRange(String(decoding: damage, as: UTF8.self))
        if let range, range.first < 0 || range.first > range.last || range.last >= range.size ?? .max {
            return ["\(range)"]
        }
        guard damage == Array(text.utf8) else { return [] }
        let size = isSizeKnown ? numbers[2] : nil
        let isValid = numbers[0] <= numbers[1] && numbers[1] < size ?? .max
        let expected: [Int?]? = isValid ? [numbers[0], numbers[1], size] : nil
        return range.map { [$0.first, $0.last, $0.size] } == expected ? [] : ["not \(text)"]
    }

    /// Half of them are those of Foundation.
    private static func response(
        _ status: Int,
        _ fields: [String: String],
        from url: URL,
        _ generator: inout SeededGenerator
    ) throws -> ResponseHead {
        let head = ResponseHead(url: url, status: status, lines: FieldLines(fields))
        return generator.oneIn(2) ? .foundation(head.http) : head
    }

    private static let fields = [
        "Authorization": "x", "Cookie": "x", "Proxy-Authorization": "x", "X-Api-Key": "x", "Host": "x", "X-Plain": "x",
    ]

    private static func links(_ generator: inout SeededGenerator) throws -> [String] {
        let text =
            ##"</a,b;c>; rel="next \"x\""; title="<y>; rel=z, ", <//i/ü?q=1#f>;rel=L; anchor="#a" , <../..//x>; rel=p"##
        let damaged = Mutation.damage(Array(text.utf8), times: generator.number(0...4), &generator)
        let url = try #require(URL(string: "https://h/a/b?c"))
        let charset = generator.pick(["utf-8", "utf-16", "us-ascii", "windows-1252", "\"iso-8859-1\"", "x"])
        let type =
            generator.pick([";", ""]) + String(decoding: damaged.prefix(9), as: UTF8.self) + "; charset=\(charset)"
        let fields = ["Link": String(decoding: damaged, as: UTF8.self), "Content-Type": type]
        let head = try response(200, fields, from: url, &generator)
        let response = Teapot.Response(data: Data(damaged), head: head, details: .none)
        _ = response.text
        let wrong = response.links.filter { link in
            Origin(link.url) == nil || link.url.fragment() != nil || link.relations.isEmpty
                || link.relations.contains { $0 != $0.lowercased() || $0.contains(" ") }
                || (try? response.request(for: link.url.absoluteString).path.text) != link.url.absoluteString
        }
        return wrong.map { "\($0) in \(fields)" }
    }

    private static func redirect(_ generator: inout SeededGenerator) throws -> [String] {
        let origin = generator.pick(["http://a", "https://a", "http://a:81"])
        let url = try #require(URL(string: origin + "/b/c;d?q"))
        let begin = generator.pick([
            "", "/", "//", "http://", "https://", "http://a", "https://a/", "http://a:81/", "HTTP:", "file:",
        ])
        let location = begin + generator.text()
        var request = URLRequest(url: url)
        request.httpMethod = generator.pick(["GET", "POST", "HEAD", "PUT"])
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let status = generator.pick([301, 302, 303, 307, 308])
        let response = try response(status, ["Location": location], from: url, &generator)
        guard case .follow(let next) = RedirectPolicy(secrets: .standard).decision(for: request, response, after: 0)
        else { return [] }
        guard let target = next.url, let targetOrigin = Origin(target) else { return ["no target"] }
        var problems: [String] = []
        if !target.absoluteString.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            problems.append("stray characters")
        }
        if target.user() != nil || target.password() != nil { problems.append("user information") }
        if url.scheme == "https", targetOrigin.scheme != "https" { problems.append("down to http") }
        let isSame = targetOrigin == Origin(url)
        let left = Set((next.allHTTPHeaderFields ?? [:]).keys)
        if left != (isSame ? Set(fields.keys) : ["X-Plain"]) { problems.append("\(left) go along") }
        return problems.map { "\($0): \(target.absoluteString) for \(location.debugDescription)" }
    }

    private static func cookies(_ generator: inout SeededGenerator) throws -> [String] {
        let jar = try #require(CookieJar())
        let origin = generator.pick([
            "http://www.example.com/a/b", "https://www.example.com", "http://127.0.0.1:1/", "http://[::1]/",
        ])
        let url = try #require(URL(string: origin))
        let domain = generator.pick([
            "example.com", ".example.com", "com", "example.com.", "0.0.1", "other.example", "", ".", "ü",
        ])
        let expiry = generator.pick(["", "; Max-Age=9", "; Max-Age=-1", "; Expires=Wed, 21 Oct 2099 07:28:00 GMT"])
        let cookie =
            "a=b; Domain=\(domain); Path=\(generator.pick(["/", "/a", "x", ""]))\(expiry); \(generator.pick(["", "Secure"]))"
        let damage = Mutation.damage(Array(cookie.utf8), times: generator.number(0...3), &generator)
        let field = String(decoding: damage, as: UTF8.self) + (generator.oneIn(4) ? generator.text() : "")
        let response = try response(200, ["Set-Cookie": field], from: url, &generator)
        jar.store(response, from: url)
        var problems: [String] = []
        for other in [
            "http://other.example/", "http://com/", "http://xexample.com/", "http://127.0.0.2:1/", "http://[::2]/",
        ] {
            if let header = try jar.header(for: #require(URL(string: other))) {
                problems.append("\(header) goes to \(other)")
            }
        }
        if let header = jar.header(for: url), header.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            problems.append("\(header.debugDescription) is sent")
        }
        return problems.map { "\($0) after \(field.debugDescription)" }
    }

    /// Fields that are joined, as FoundationNetworking joins them, set no cookie that they do not set one by one, and none that is
    /// less strict. Each is `c0=x`, of which a value holds no comma with a blank behind it, unless in quotation marks, or no
    /// cookie.
    private static func joinedCookies(_ generator: inout SeededGenerator) throws -> [String] {
        let (exact, joined) = (try #require(CookieJar()), try #require(CookieJar()))
        let url = try #require(URL(string: generator.pick(["https://h/app/x", "http://h/app/x"])))
        let fields = (0..<generator.number(1...6)).map { number in
            let value = (0..<generator.number(0...5)).map { _ in
                generator.pick(["x", ",", "=", ",admin=true", "'", "Wed", "%2C", ",b=c", "\u{80}", "\t"])
            }.joined()
            let quoted = generator.oneIn(3) ? "\"x, admin=true\"" : value + "x"
            let name = generator.pick(["c", "c", "c[]", "ü", "c d", "\"c\"", "__Host-c", "__secure-c"])
            let text = generator.pick(["\(name)\(number)=\(quoted)", "\(name)\(number)=\(quoted)", "c", "=x", "", "="])
            let attributes = (0..<generator.number(0...3)).map { _ in
                generator.pick([
                    "; Path=/", "; Path=/app", "; Path=/x", "; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "; HttpOnly",
                    ";",
                    "; Expires=Wed, 21 Oct 1999 07:28:00 GMT", "; Max-Age=0", "; Max-Age=60", "; Secure", "; Domain=h",
                    "; Domain=x",
                ])
            }
            return text + attributes.joined()
        }
        let now = Date()
        for field in fields {
            let lines = FieldLines(["Set-Cookie": field])
            let response = ResponseHead(url: url, status: 200, lines: lines, hasSeparateCookies: true)
            exact.store(generator.oneIn(2) ? response : .foundation(response.http), from: url, at: now)
        }
        let field = fields.joined(separator: ", ")
        joined.store(try response(200, ["Set-Cookie": field], from: url, &generator), from: url, at: now)
        return joined.all(at: now).filter { cookie in
            !exact.all(at: now).contains { stricter in
                (cookie.name, cookie.value, cookie.domain) == (stricter.name, stricter.value, stricter.domain)
                    && CookieJar.matches(normalPath: PercentEncoding.uppercaseEscapes(cookie.path), stricter.path)
                    && (cookie.isSecure || !stricter.isSecure)
                    && cookie.expires ?? .distantFuture <= stricter.expires ?? .distantFuture
            }
        }.map { "\($0.name) at \($0.path) of \(field.debugDescription)" }
    }

    // MARK: - Secrets

    /// A secret at a place that the policy knows, in the midst of anything.
    private static func secrets(_ generator: inout SeededGenerator) -> [String] {
        let (policy, secret) = (SecretPolicy.standard, "hush4711")
        let (before, after) = (generator.text(), generator.text())
        let name = generator.pick([
            "token", "access_token", "apiKey", "password", "X-Auth-Token", "client_secret", "%74oken",
        ])
        let end = generator.pick(["&", "#", " ", "\n", "\"", "<"])
        let begin = generator.pick(["?", "&", "#", " ", "\"", "\n"])
        let item = before + begin + name + "=" + secret + end + after
        let user = before + begin + "http://u:\(secret)@h/" + after
        var problems: [String] = []
        for text in [item, user] {
            for shown in [
                policy.redacted(text: text), policy.redacted(text, named: "Location"),
                policy.redacted(body: Data(text.utf8)),
            ] {
                if shown.contains(secret) { problems.append("\(shown.debugDescription) shows it") }
                if shown.unicodeScalars.contains(where: {
                    $0.properties.generalCategory == .control && !"\n\t".unicodeScalars.contains($0)
                }) {
                    problems.append("\(shown.debugDescription) holds control characters")
                }
            }
        }
        if policy.redacted(item, named: "Authorization").contains(secret) { problems.append("a header field shows it") }
        let object: [String: Any] = ["a": [before: [["password": [after: secret]], after] as [Any]] as [String: Any]]
        let body = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
        if policy.redacted(body: body).contains(secret) { problems.append("JSON shows it") }
        let damage = Data(Mutation.damage(Array(body), times: generator.number(0...2), &generator))
        _ = policy.redacted(body: damage)
        return problems + wrappedSecrets(body, secret, &generator)
    }

    /// JSON in events, sequences, calls and behind prefixes: a body has the same secrets replaced as the JSON alone, and cut off,
    /// it shows none.
    private static func wrappedSecrets(_ body: Data, _ secret: String, _ generator: inout SeededGenerator) -> [String] {
        let end = generator.pick(["\n", "\r", "\r\n"])
        let json = body.text.replacing(",", with: generator.oneIn(2) ? "," : ",\(end)data:")
        let isEvents = json.contains("\(end)data:") || generator.oneIn(2)
        let before = generator.pick(["data: 1\(end)\(end)", "id: token=\(secret) x\(end)", ":\(end)", ""])
        let wrapped =
            isEvents
            ? before + "data:\(generator.pick([" ", ""]))\(json)\(end)\(end)data: [DONE]\(end)\(end)"
            : generator.pick([
                "\u{1E}", "\u{FEFF}", ")]}',\n", ")]}'", "for(;;);", "cb(", "/**/x.y(", "12\n", "{}\u{1E}",
            ]) + json
                + generator.pick([")", "\n", ");", "\u{1E}"])
        func redacted(_ text: String) -> String? {
            var redactor = RecordingRedactor(.standard, Placeholders(), keeping: [])
            return try? redactor.body(text, mediaType: isEvents ? "text/event-stream" : "text/plain")
        }
        let shown = redacted(wrapped)
        var problems = shown?.contains(secret) == true ? ["\(wrapped.debugDescription) shows it"] : []
        if shown == nil { problems.append("\(wrapped.debugDescription) is left out") }
        let cut = String(decoding: wrapped.utf8.prefix(generator.number(0...wrapped.utf8.count)), as: UTF8.self)
        if redacted(cut)?.contains(secret) == true { problems.append("\(cut.debugDescription), cut off, shows it") }
        return problems
    }

    // MARK: - Files

    private static func record(_ generator: inout SeededGenerator) throws -> [String] {
        let folder = try TemporaryFolder()
        let tag = generator.pick(["\"a\"", "W/\"a\"", "", "a\r\nX: y", "Wed, 21 Oct 2015 07:28:00 GMT"])
        let record = try JSONEncoder().encode(["source": "http://h/x", "validator": tag])
        let damage = Mutation.damage(Array(record), times: generator.pick([0, 0, 1, 3]), &generator)
        try Data(damage).write(to: folder.file("file.partial.json"))
        try folder.write("content", to: "file.partial")
        let partial = try PartialFile(resuming: folder.file("file"), from: "http://h/x")
        defer { partial.close(after: nil) }
        var problems: [String] = []
        let fields = partial.body.requestFields
        do throws(TeapotError) {
            try HeaderFieldRules.check(fields)
        } catch {
            problems.append(error.debugDescription)
        }
        if let condition = fields["If-Range"] {
            if condition.hasPrefix("W/") || condition.isEmpty { problems.append("If-Range: \(condition)") }
            if fields["Range"] != "bytes=6-" { problems.append("Range: \(fields["Range"] ?? "none")") }
        } else if fields["Range"] != nil || partial.body.length > 0 {
            problems.append("it goes on without a condition")
        }
        return problems
    }
}
