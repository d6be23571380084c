import Teapot

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
                let challenge = answer.header("WWW-Authenticate") ?? "none"
                try answer.request.expect(challenge.hasPrefix("Basic"), "WWW-Authenticate: Basic", received: challenge)
            }
        },
        TransportBehavior("an error arrives with its body") { trial in
            let teapot = try await trial.answer(.get, "status/418", status: 418)
            try teapot.request.expect(!teapot.data.isEmpty, "a body", received: "none")
            let refusal = try await trial.answer(.get, "status/406", status: 406)
            let message = (try? JSON(data: refusal.data))?.dictionary?["message"] as? String
            try refusal.request.expect(message != nil, "a body with a message", received: "\(refusal.data.count) bytes")
        },
        TransportBehavior("a redirect arrives, and is not followed") { trial in
            for status in [301, 302, 303, 307, 308] {
                let path = "redirect-to?url=/anything/there&status_code=\(status)"
                let answer = try await trial.answer(.get, path, status: status)
                try answer.request.expect("Location:", answer.header("Location") ?? "none", is: "/anything/there")
            }
        },
        TransportBehavior("a response names the URL of its request") { trial in
            for path in ["get?q=a%26b", "status/404", "redirect-to?url=/get"] {
                let exchange = trial.start(.get, path)
                let url = try await exchange.end().response?.url?.absoluteString
                try exchange.request.expect("the URL", url ?? "none", is: trial.url(path).absoluteString)
            }
        },
        TransportBehavior("header fields of a response arrive, repeated ones with all values") { trial in
            let answer = try await trial.answer(.get, "response-headers?X-Kind=oolong&X-Tea=green&X-Tea=black")
            try answer.request.expect("X-Kind:", answer.header("X-Kind") ?? "none", is: "oolong")
            let teas = (answer.header("X-Tea") ?? "none").filter { $0 != " " }
            try answer.request.expect("X-Tea:", teas, is: "green,black")
        },
        TransportBehavior("a response to HEAD has its header fields, and no body") { trial in
            let answer = try await trial.answer(.head, "get")
            try answer.request.expect("the body", answer.data, is: Data())
            let type = answer.header("Content-Type") ?? "none"
            try answer.request.expect("Content-Type:", type, is: "application/json")
        },
    ]
}
