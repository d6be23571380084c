import Teapot

extension TransportBehavior {
    /// Methods, URLs and header fields, as servers receive them.
    static let requests = [
        TransportBehavior("the method arrives as it was given") { trial in
            for method in [HTTPMethod.get, .post, .put, .patch, .delete] {
                let answer = try await trial.answer(method, "anything")
                try answer.request.expect("the method", answer.echo().method ?? "none", is: method.rawValue)
            }
        },
        TransportBehavior("a method that is not common arrives as it was given") { trial in
            let method = HTTPMethod(rawValue: "PURGE") ?? .delete
            let exchange = trial.start(method, "anything")
            // httpbin itself does not know it, and says so.
            if try await exchange.end().response?.statusCode == 405 { return }
            let answer = try await exchange.answer(200)
            try answer.request.expect("the method", answer.echo().method ?? "none", is: method.rawValue)
        },
        TransportBehavior("a path arrives with its escapes") { trial in
            let answer = try await trial.answer(.get, "etag/a%20b%3Fc%25d%2Be")
            try answer.request.expect("the path, decoded,", answer.header("ETag") ?? "none", is: "a b?c%d+e")
        },
        TransportBehavior("a query arrives as it was written") { trial in
            let query = "?q=a%26b%2Bc+d%20e%3D&&x=&y&q=2"
            let answer = try await trial.answer(.get, "anything\(query)")
            let received = try answer.echo().url.map { String($0.drop { $0 != "?" }) }
            try answer.request.expect("the query", received ?? "none", is: query)
        },
        TransportBehavior("header fields arrive, the case of their names aside") { trial in
            let fields = [
                ("X-Tea", "green, no sugar"), ("x-lower", "1"), ("Accept", "text/plain;q=0.5"), ("User-Agent", "Tea/1"),
                ("Accept-Language", "nb"),
            ]
            try await trial.expectArrival(of: fields)
        },
        TransportBehavior("odd names and values of header fields arrive") { trial in
            try await trial.expectArrival(of: [("X-!#$%&'*+.^`|~9", "odd"), ("X-Odd", "a  b\tc \"d\" \\ ;,=~!")])
        },
        TransportBehavior("an Authorization field arrives") { trial in
            let fields = [("Authorization", "Basic dGVhOnBvdA==")]
            try await trial.answer(.get, "basic-auth/tea/pot", headerFields: fields)
        },
        TransportBehavior("a header field that was added twice arrives with both values") { trial in
            let fields = [("X-Tea", "green"), ("X-Tea", "black")]
            let answer = try await trial.answer(.get, "headers", headerFields: fields)
            let received = try answer.echo().header("X-Tea") ?? "none"
            try answer.request.expect("X-Tea:", received.filter { $0 != " " }, is: "green,black")
        },
        TransportBehavior("a Cookie field arrives") { trial in
            let answer = try await trial.answer(.get, "cookies", headerFields: [("Cookie", "kind=green; cups=2")])
            try answer.request.expect("the cookies", answer.cookies(), is: "cups=2; kind=green")
        },
        TransportBehavior("cookies are shown, and not kept") { trial in
            let setting = try await trial.answer(.get, "cookies/set?tea=green", status: 302)
            let field = setting.header("Set-Cookie") ?? "none"
            try setting.request.expect(field.hasPrefix("tea=green"), "Set-Cookie: tea=green", received: field)
            let next = try await trial.answer(.get, "cookies")
            try next.request.expect("the cookies", next.cookies(), is: "none")
        },
    ]
}

extension TransportTrial {
    fileprivate func expectArrival(of fields: [(String, String)]) async throws {
        let answer = try await answer(.get, "headers", headerFields: fields)
        let echo = try answer.echo()
        for (name, value) in fields {
            try answer.request.expect("\(name):", echo.header(name) ?? "none", is: value)
        }
    }
}
