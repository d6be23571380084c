import Teapot
import Testing

extension TransportBehavior {
    /// Methods, URLs and header fields, as servers receive them.
    static let requests = [
        TransportBehavior("the method arrives as it was given") { trial in
            for method in [Teapot.HTTPMethod.get, .post, .put, .patch, .delete] {
                let answer = try await trial.answer(method, "anything")
                #expect(try answer.echo().method == method.rawValue)
            }
        },
        TransportBehavior("a method that is not common arrives as it was given") { trial in
            let method = Teapot.HTTPMethod(rawValue: "PURGE") ?? .delete
            let exchange = trial.start(method, "anything")
            // httpbin itself does not know it, and says so.
            if try await exchange.end().response?.statusCode == 405 { return }
            #expect(try await exchange.answer(200).echo().method == method.rawValue)
        },
        TransportBehavior("a path arrives with its escapes") { trial in
            let answer = try await trial.answer(.get, "etag/a%20b%3Fc%25d%2Be")
            #expect(answer.header("ETag") == "a b?c%d+e")
        },
        TransportBehavior("a query arrives as it was written") { trial in
            let query = "?q=a%26b%2Bc+d%20e%3D&&x=&y&q=2"
            let url = try await trial.answer(.get, "anything\(query)").echo().url
            #expect(url.map { String($0.drop { $0 != "?" }) } == query)
        },
        TransportBehavior("header fields arrive, the case of their names aside") { trial in
            let fields = [
                ("X-Tea", "green, no sugar"), ("x-lower", "1"), ("Accept", "text/plain;q=0.5"), ("User-Agent", "Tea/1"),
                ("Accept-Language", "nb"), ("X-!#$%&'*+.^`|~9", "odd"), ("X-Odd", "a  b\tc \"d\" \\ ;,=~!"),
            ]
            let echo = try await trial.answer(.get, "headers", headerFields: fields).echo()
            for (name, value) in fields { #expect(echo.header(name) == value) }
        },
        TransportBehavior("an Authorization field arrives") { trial in
            let fields = [("Authorization", "Basic dGVhOnBvdA==")]
            try await trial.answer(.get, "basic-auth/tea/pot", headerFields: fields)
        },
        TransportBehavior("a header field that was added twice arrives with both values") { trial in
            let fields = [("X-Tea", "green"), ("X-Tea", "black")]
            let echo = try await trial.answer(.get, "headers", headerFields: fields).echo()
            #expect(echo.header("X-Tea")?.filter { $0 != " " } == "green,black")
        },
        TransportBehavior("a Cookie field arrives") { trial in
            let answer = try await trial.answer(.get, "cookies", headerFields: [("Cookie", "kind=green; cups=2")])
            #expect(try answer.cookies() == "cups=2; kind=green")
        },
        TransportBehavior("cookies are shown, and not kept") { trial in
            let setting = try await trial.answer(.get, "cookies/set?tea=green", status: 302)
            #expect(setting.header("Set-Cookie")?.hasPrefix("tea=green") == true)
            #expect(try await trial.answer(.get, "cookies").cookies() == "none")
        },
    ]
}
