import Teapot
import Testing

extension TransportBehavior {
    /// Statuses and header fields of responses.
    static let responses = [
        TransportBehavior("a status arrives as it is") { trial in
            for status in [200, 201, 204, 304, 400, 403, 404, 418, 500, 503] {
                try await trial.answer(.get, "status/\(status)", status: status)
            }
        },
        TransportBehavior("a 401 arrives, whatever it challenges to") { trial in
            for path in ["status/401", "basic-auth/tea/pot"] {
                let answer = try await trial.answer(.get, path, status: 401)
                #expect(answer.header("WWW-Authenticate")?.hasPrefix("Basic") == true)
            }
        },
        TransportBehavior("an error arrives with its body") { trial in
            #expect(try await !trial.answer(.get, "status/418", status: 418).data.isEmpty)
            let refusal = try await trial.answer(.get, "status/406", status: 406)
            #expect(try JSON(data: refusal.data).dictionary?["message"] is String)
        },
        TransportBehavior("a redirect arrives, and is not followed") { trial in
            for status in [301, 302, 303, 307, 308] {
                let path = "redirect-to?url=/anything/there&status_code=\(status)"
                let answer = try await trial.answer(.get, path, status: status)
                #expect(answer.header("Location") == "/anything/there")
            }
        },
        TransportBehavior("a response names the URL of its request") { trial in
            for path in ["get?q=a%26b", "status/404", "redirect-to?url=/get"] {
                let url = try await trial.start(.get, path).end().response?.url
                #expect(url?.absoluteString == trial.url(path).absoluteString)
            }
        },
        TransportBehavior("header fields of a response arrive, repeated ones with all values") { trial in
            let answer = try await trial.answer(.get, "response-headers?X-Kind=oolong&X-Tea=green&X-Tea=black")
            #expect(answer.header("X-Kind") == "oolong")
            #expect(answer.header("X-Tea")?.filter { $0 != " " } == "green,black")
        },
        TransportBehavior("a response to HEAD has its header fields, and no body") { trial in
            let answer = try await trial.answer(.head, "get")
            #expect(answer.data.isEmpty)
            #expect(answer.header("Content-Type") == "application/json")
        },
    ]
}
