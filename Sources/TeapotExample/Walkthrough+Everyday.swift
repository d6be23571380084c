import Teapot
import TeapotCache

/// Features that clients of most APIs need sooner or later.
extension Walkthrough {
    func showEveryday() async {
        await checklist.step("read page by page") {
            // httpbin answers with the header fields that the query asks for: the second page has no link to a third.
            let query: Teapot.QueryItems = ["Link": "<?page=2>; rel=\"next\""]
            let first = Teapot.Request(path: "response-headers", query: query)
            var count = 0
            for try await _ in teapot.pages(first, as: [String: String].self) { count += 1 }
            try expect(2, found: count)
            return "\(count) pages"
        }

        await checklist.step("keep a cookie") {
            let teapot = Teapot(baseURL: baseURL)
            try await teapot.get("cookies/set/theme/dark")
            let saved = try JSONEncoder().encode(teapot.cookies.all)
            let later = Teapot(baseURL: baseURL)
            try later.cookies.set(JSONDecoder().decode([Teapot.Cookie].self, from: saved))
            try expect("dark", found: later.cookies["theme"])
            return "theme is dark, saved and restored"
        }

        await checklist.step("use a response again") {
            let teapot = Teapot(baseURL: baseURL, transport: CachingTransport())
            let path: Teapot.Path = "response-headers?Cache-Control=max-age%3D60"
            let responses = try await [teapot.get(path), teapot.get(path)]
            try expect([false, true], found: responses.map(\.isFromCache))
            return "two calls, one request"
        }
    }

    func showLog() async {
        await checklist.step(
            "log without secrets",
            code: """
                teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
                    entries.withLock { $0.append(entry) }
                }
                let request = Teapot.Request(
                    .put,
                    path: "anything/notes/1?access_token=\\(token)",
                    headerFields: teapot.basicAuthenticationHeader(username: username, password: password),
                    body: .form(["title": "Buy tea", "password": password])
                )
                try await teapot.send(request)
                """
        ) {
            let (username, password, token) = ("ada", "correct-horse-battery", "c0ffee-1234")
            let entries = Locked<[String]>([])
            defer { teapot.logger = Logger() }
            teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
                entries.withLock { $0.append(entry) }
            }
            let request = Teapot.Request(
                .put,
                path: "anything/notes/1?access_token=\(token)",
                headerFields: teapot.basicAuthenticationHeader(username: username, password: password),
                body: .form(["title": "Buy tea", "password": password])
            )
            try await teapot.send(request)

            let log = entries.withLock { $0 }.joined(separator: "\n")
            for text in ["→ PUT", "← 200 PUT", "Authorization: <redacted>"] where !log.contains(text) {
                throw Mismatch(expected: "\(text) in the log", found: "\n\(log)")
            }
            let encoded = Data("\(username):\(password)".utf8).base64EncodedString()
            for secret in [password, encoded, token] where log.contains(secret) {
                throw Mismatch(expected: "no \(secret) in the log", found: "\n\(log)")
            }
            return "what was sent and received, with every secret redacted\n\(log)"
        }
    }
}
