import Teapot
import TeapotCache
import TeapotMock

/// Features that clients of most APIs need sooner or later.
extension Walkthrough {
    func showForms() async {
        await checklist.step(
            "get a token once",
            code: """
                teapot.authenticator = Authenticator { _ in
                    let form = Teapot.Request.Body(form: ["refresh_token": UUID().uuidString])
                    let answer = try await login.post("anything", body: form, as: FormEcho.self)
                    return .bearer(answer.form["refresh_token"] ?? "")
                }
                async let first = teapot.get("bearer", as: Token.self)
                async let second = teapot.get("bearer", as: Token.self)
                """
        ) {
            struct Token: Decodable {
                let token: String
            }
            let login = self.teapot
            let teapot = Teapot(baseURL: baseURL)
            teapot.authenticator = Authenticator { _ in
                let form = Teapot.Request.Body(form: ["refresh_token": UUID().uuidString])
                let answer = try await login.post("anything", body: form, as: FormEcho.self)
                return .bearer(answer.form["refresh_token"] ?? "")
            }
            async let first = teapot.get("bearer", as: Token.self)
            async let second = teapot.get("bearer", as: Token.self)
            let tokens = try await [first.token, second.token]
            try expect(tokens[0], found: tokens[1])
            return "both calls sent the token \(tokens[0])"
        }

        await checklist.step("post a form") {
            let body = Teapot.Request.Body(form: ["grant_type": "refresh_token", "refresh_token": "R&D"])
            let form = try await teapot.post("anything/token", body: body, as: FormEcho.self).form
            try expect(["grant_type": "refresh_token", "refresh_token": "R&D"], found: form)
            return form.keys.sorted().joined(separator: ", ")
        }
    }

    func showMock() async {
        await checklist.step(
            "test without a server",
            code: """
                let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
                mock.retryPolicy = RetryPolicy()
                try mock.overrideEndPoint("tea", withSequence: [.status(.serviceUnavailable), .json(["kind": "green"])])
                let tea = try await mock.get("tea", as: [String: String].self)
                """
        ) {
            let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
            mock.retryPolicy = RetryPolicy()
            try mock.overrideEndPoint("tea", withSequence: [.status(.serviceUnavailable), .json(["kind": "green"])])
            let tea = try await mock.get("tea", as: [String: String].self)
            try expect(["kind": "green"], found: tea)
            try expect(2, found: mock.requests.count)
            return "\(tea["kind"] ?? ""), on the second attempt, and the pause took no time"
        }
    }

    func showPages() async {
        await checklist.step("read page by page") {
            // httpbin answers with the header fields that the query asks for: the second page has no link to a third.
            let query: QueryItems = ["Link": "<?page=2>; rel=\"next\""]
            let first = Teapot.Request(path: "response-headers", query: query)
            var count = 0
            for try await _ in client.teapot.pages(first, as: [String: String].self) { count += 1 }
            guard count == 2 else { throw Mismatch(expected: "2 pages", found: "\(count)") }
            return "\(count) pages"
        }
    }

    func showCookies() async {
        await checklist.step("keep a cookie") {
            let teapot = Teapot(baseURL: client.teapot.baseURL)
            try await teapot.get("cookies/set/theme/dark")
            let saved = try JSONEncoder().encode(teapot.cookies.all)
            let later = Teapot(baseURL: teapot.baseURL)
            try later.cookies.set(JSONDecoder().decode([Teapot.Cookie].self, from: saved))
            guard let theme = later.cookies["theme"] else { throw Mismatch(expected: "a cookie", found: "none") }
            return "theme is \(theme), saved and restored"
        }
    }

    func showCaching() async {
        await checklist.step("use a response again") {
            let teapot = Teapot(baseURL: client.teapot.baseURL, transport: CachingTransport())
            let path = "response-headers?Cache-Control=max-age%3D60"
            let first = try await teapot.get(path)
            let second = try await teapot.get(path)
            guard !first.isFromCache, second.isFromCache else {
                throw Mismatch(expected: "one request", found: "two")
            }
            return "two calls, one request"
        }
    }

    func showEvents() async {
        await checklist.step("read events (mock)") {
            let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
            let prices: [Teapot.ServerSentEvent] = [.init(data: "4", type: "tea"), .init(data: "5", type: "tea")]
            try mock.overrideEndPoint("prices", withSequence: [.events(prices), .status(.noContent)])
            var found: [String] = []
            for try await event in mock.events(Teapot.Request(path: "prices", timeoutInterval: .infinity)) {
                found.append("\(event.type) \(event.data)")
            }
            guard found == ["tea 4", "tea 5"] else { throw Mismatch(expected: "two prices", found: "\(found)") }
            return found.joined(separator: ", ")
        }
    }
}
