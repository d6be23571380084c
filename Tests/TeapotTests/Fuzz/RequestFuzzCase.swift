import Foundation
import LoopbackServer
@testable import Teapot
import TestSupport

/// A request with a path, a query, header fields and a body of random text, and what goes out for it.
struct RequestFuzzCase {
    private let base: URL
    private let request: Teapot.Request?
    private let refusal: TeapotError?
    private let tree: JSONFuzzTree?

    static let basePaths = ["", "/", "/v1", "/v1/", "/a%20b/v1", "/v1?k=v", "//x/", "/v1/%2e%2e"]

    /// - Parameters:
    ///   - origin: Scheme and authority of the base URL; `nil` for one at random.
    ///   - generator: What everything else is drawn from.
    init(origin: String? = nil, _ generator: inout SeededGenerator) {
        let origin =
            origin ?? generator.pick(["http://h", "https://H:8443", "http://u:p@h", "http://[::1]:80", "http://h:80"])
        base = URL(string: origin + generator.pick(Self.basePaths)) ?? URL(filePath: "/")
        let method = generator.pick([Teapot.HTTPMethod.get, .head, .post, .put, .patch, .delete])
        var items: Teapot.QueryItems = []
        for _ in 0..<generator.pick([0, 0, 1, 3]) {
            items.items.append(URLQueryItem(name: generator.text(), value: generator.oneIn(4) ? nil : generator.text()))
        }
        var fields: [String: String] = [:]
        for _ in 0..<generator.pick([0, 0, 1, 3]) {
            fields[Self.fieldName(&generator)] = generator.text()
        }
        tree = [.get, .head].contains(method) ? nil : JSONFuzzTree(&generator)
        var request = Teapot.Request(
            method,
            path: Self.path(base, &generator),
            query: items,
            headerFields: fields
        )
        request.timeoutInterval = .infinity
        do {
            if let tree { request.body = try Teapot.Request.Body(.dictionary(tree.object)) }
            (self.request, refusal) = (request, nil)
        } catch {
            (self.request, refusal) = (nil, error)
        }
    }

    private static func path(_ base: URL, _ generator: inout SeededGenerator) -> Teapot.Path {
        switch generator.number(0...9) {
        case 0: "\(raw: base.absoluteString + generator.text())"
        case 1: "http://\(raw: generator.text(upTo: 3))h/\(raw: generator.text(upTo: 3))"
        case 2: "users/\(raw: generator.text(upTo: 3))"
        case 3: "users/\(generator.text(upTo: 3))"
        case 4: "\(generator.text(upTo: 3))/\(generator.text(upTo: 3))?\(generator.text(upTo: 3))"
        default: "\(raw: generator.text())"
        }
    }

    private static func fieldName(_ generator: inout SeededGenerator) -> String {
        switch generator.number(0...9) {
        case 0: generator.text(upTo: 3)
        case 1:
            generator.pick([
                "Content-Length", "transfer-encoding", "Content-Type", "Accept", "Host", "Authorization", "X",
            ])
        default: "X-" + generator.pick(["a", "A", "b", "Tenant", "!#$%&'*+-.^_`|~"])
        }
    }

    // MARK: - What goes out

    /// Sends the request, and takes what arrives at the transport for the truth.
    ///
    /// - Returns: What is wrong, and the request that went out, if any.
    func sent() -> (problems: [String], request: URLRequest?) {
        if let refusal {
            let isRight = refusal.type == .invalidPayload && tree?.isValid == false
            return (isRight ? [] : ["refused: \(refusal.debugDescription)"], nil)
        }
        guard let request else { return ([], nil) }
        guard tree?.isValid != false else { return (["took what JSON cannot hold"], nil) }
        let transport = ManualTransport { $0.answer(200) }
        let outcomes = Locked<[Teapot.Outcome]>([])
        let teapot = Teapot(baseURL: base, transport: transport)
        teapot.answersAtOnce = true
        let task = teapot.send(request) { outcome in outcomes.withLock { $0.append(outcome) } }
        let (hops, all) = (transport.hops, outcomes.withLock { $0 })
        guard all.count == 1, let outcome = all.first else { return (["\(all.count) outcomes"], nil) }
        guard case .failure(let error) = outcome else {
            guard hops.count == 1, let hop = hops.first else { return (["\(hops.count) requests"], nil) }
            return (problems(hop.request, request), hop.request)
        }
        var problems = hops.isEmpty ? [] : ["sent all the same"]
        switch error.type {
        case .invalidRequestPath: if task != nil { problems.append("a task for a bad path") }
        case .invalidHeaderField: if isHeaderValid(request) { problems.append("good fields refused") }
        default: problems.append("another error")
        }
        return (problems.map { "\($0): \(error.debugDescription)" }, nil)
    }

    private func problems(_ sent: URLRequest, _ request: Teapot.Request) -> [String] {
        guard let url = sent.url else { return ["no URL"] }
        var problems = problems(url, request) + problems(fields: sent.allHTTPHeaderFields ?? [:], request)
        if sent.httpMethod != request.method.rawValue { problems.append("another method") }
        let isBodyRight = tree.map { $0.isHeld(by: sent.httpBody) } ?? (sent.httpBody == nil)
        if !isBodyRight { problems.append("another body: \(String(decoding: sent.httpBody ?? Data(), as: UTF8.self))") }
        return problems
    }

    private func problems(_ url: URL, _ request: Teapot.Request) -> [String] {
        var problems: [String] = []
        func expect(_ isRight: Bool, _ problem: String) {
            if !isRight {
                problems.append(
                    "\(problem): \(url.absoluteString.debugDescription) for \(request.path.text.debugDescription)"
                )
            }
        }
        let text = url.absoluteString
        expect(
            text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) },
            "stray characters"
        )
        expect(url.scheme == base.scheme?.lowercased(), "another scheme")
        expect(url.host()?.lowercased() == base.host()?.lowercased(), "another host")
        expect((url.port ?? Self.port(url)) == (base.port ?? Self.port(base)), "another port")
        expect(url.user() == nil && url.password() == nil, "user information")
        let path = url.path(percentEncoded: true)
        let dots = [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."]
        let given = base.path(percentEncoded: true)
        let own = given == "/v1/%2e%2e" ? "/" : given
        let floor = String(own.reversed().drop { $0 == "/" }.reversed())
        if !request.path.text.contains("://") {
            expect(path == own || path.hasPrefix(floor + "/"), "above the base path")
            expect(!path.split(separator: "/").contains { dots.contains($0.lowercased()) }, "dot segments")
        }
        let items = (url.query(percentEncoded: true) ?? "").split(separator: "&", omittingEmptySubsequences: false)
        let expected = request.query.items.map {
            Self.encoded($0.name) + ($0.value.map { "=" + Self.encoded($0) } ?? "")
        }
        expect(items.suffix(expected.count).map(String.init) == expected, "another query")
        return problems
    }

    /// With escapes for all but unreserved characters (RFC 3986, section 2.3).
    private static func encoded(_ text: String) -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let unreserved = CharacterSet(charactersIn: letters + letters.lowercased() + "0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static func port(_ url: URL) -> Int { url.scheme?.lowercased() == "https" ? 443 : 80 }

    private func problems(fields: [String: String], _ request: Teapot.Request) -> [String] {
        var expected: [String: String] = [:]
        if tree != nil { expected["content-type"] = "application/json" }
        if base.user() != nil { expected["authorization"] = "Basic dTpw" }
        for (name, value) in request.headerFields where name.lowercased() != "content-length" {
            let isBlank = value.unicodeScalars.allSatisfy { $0 == " " || $0 == "\t" }
            expected[name.lowercased()] = isBlank ? "" : value
        }
        let sent = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { "\($0)\n\($1)" }
        let isRight =
            isHeaderValid(request) && sent.count == expected.count
            && expected.allSatisfy { sent[$0.key].map { Array($0.utf8) } == Array($0.value.utf8) }
        return isRight ? [] : ["other fields: \(sent) for \(request.headerFields)"]
    }

    private func isHeaderValid(_ request: Teapot.Request) -> Bool {
        let token = /[A-Za-z0-9!#$%&'*+.^_`|~\-]+/
        let names = request.headerFields.keys.map { $0.lowercased() }
        return Set(names).count == names.count
            && names.allSatisfy { $0.wholeMatch(of: token) != nil && $0 != "transfer-encoding" }
            && request.headerFields.allSatisfy { name, value in
                guard name.lowercased() == "content-length" else { return true }
                let digits = value.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
                return digits.wholeMatch(of: /[0-9]+/) != nil && Int(digits) == request.body?.data?.count ?? 0
            }
            && request.headerFields.values.allSatisfy {
                !$0.unicodeScalars.contains { ["\r", "\n", "\0"].contains($0) }
            }
    }

    // MARK: - What arrives

    /// Sends the request to a server, and compares what arrives with what went to the transport.
    func arrival(of expected: URLRequest, at server: LoopbackServer) async -> [String] {
        guard let request else { return [] }
        let before = server.requests.count
        _ = await outcome(of: request, from: Teapot(baseURL: base, defaultDeliveryQueue: .global()))
        let arrived = server.requests.dropFirst(before)
        guard let received = arrived.first, arrived.count == 1 else { return ["\(arrived.count) requests arrived"] }
        let components = expected.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let path = components?.percentEncodedPath ?? ""
        let target = (path.isEmpty ? "/" : path) + (components?.percentEncodedQuery.map { "?" + $0 } ?? "")
        let added = [
            "host", "user-agent", "accept", "accept-encoding", "accept-language", "connection", "content-length",
        ]
        var fields = (expected.allHTTPHeaderFields ?? [:]).map { [$0.key.lowercased(), $0.value] }
        fields += received.headers.map { [$0.name.lowercased(), $0.value] }
            .filter { field in added.contains(field[0]) && !fields.contains { $0[0] == field[0] } }
        let headers = received.headers.map { [$0.name.lowercased(), $0.value] }
        var problems: [String] = []
        if received.method != request.method.rawValue { problems.append("the method \(received.method) arrived") }
        // libcurl 8.14 drops the `?` of an empty query.
        let isSame = received.target == target || received.target + "?" == target
        if !isSame { problems.append("\(received.target) arrived for \(target)") }
        if received.body != expected.httpBody ?? Data() { problems.append("another body arrived") }
        let trimmed = fields.map { [$0[0], $0[1].trimmingCharacters(in: [" ", "\t"])] }
        if Set(headers) != Set(trimmed) || headers.count != trimmed.count {
            problems.append("\(received.head.debugDescription) arrived for \(fields)")
        }
        return problems
    }
}
