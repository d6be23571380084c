import Teapot

extension TransportBehavior {
    /// The behaviour of a `Teapot` with the transport.
    static let client = [
        TransportBehavior("a Teapot sends each method, and gets the response") { trial in
            let body = Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain")
            for method in [HTTPMethod.get, .post, .put, .patch, .delete] {
                let hasBody = method != .get
                let request = Teapot.Request(method, path: "anything", body: hasBody ? body : nil)
                let answer = try await trial.response(to: request)
                try answer.request.expect("the method", answer.echo().method ?? "none", is: method.rawValue)
                try answer.request.expect("the body", answer.echo().body, is: Data((hasBody ? "tea" : "").utf8))
            }
            let head = try await trial.response(to: Teapot.Request(.head, path: "get"))
            try head.request.expect("the body", head.data, is: Data())
        },
        TransportBehavior("an error of the server is one of a Teapot, with its body") { trial in
            let request = Teapot.Request(path: "status/406")
            let error = try await trial.failure(of: request, by: trial.client())
            let checked = trial.checked(request)
            try checked.expect("the error", TransportTrial.text(of: error), is: "invalidResponseStatus")
            try checked.expect("the status", error.responseStatus ?? 0, is: 406)
            try checked.expect(error.json?.dictionary?["message"] is String, "a body with a message", received: "none")
        },
        TransportBehavior("a Teapot follows redirects, and sends a body again") { trial in
            let path = "redirect-to?url=/anything/there&status_code=307"
            let body = Data("tea".utf8)
            let answer = try await trial.response(
                to: Teapot.Request(.post, path: path, body: Teapot.Request.Body(body))
            )
            try answer.request.expect("the URL", answer.http.url?.lastPathComponent ?? "none", is: "there")
            try answer.request.expect("the body", answer.echo().body, is: body)
        },
        TransportBehavior("a Teapot keeps cookies, and another one has others") { trial in
            let client = trial.client()
            _ = try await trial.response(to: Teapot.Request(path: "cookies/set?tea=green"), by: client)
            for (client, cookies) in [(client, "tea=green"), (trial.client(), "none")] {
                let answer = try await trial.response(to: Teapot.Request(path: "cookies"), by: client)
                try answer.request.expect("the cookies", answer.cookies(), is: cookies)
            }
        },
        TransportBehavior("a Teapot downloads to a file") { trial in
            let request = Teapot.Request(path: "range/100000")
            let content = try await trial.withFile { file in
                _ = try await trial.success(of: request) { try await trial.client().download($0, to: file) }
                return try Data(contentsOf: file)
            }
            try trial.checked(request).expect("the file", content, is: TransportTrial.letters(100_000))
        },
        TransportBehavior("a Teapot uploads a file") { trial in
            let content = TransportTrial.bytes(100_000)
            let answer = try await trial.withFile(content) { file in
                let body = Teapot.Request.Body(file: file)
                return try await trial.response(to: Teapot.Request(.put, path: "anything", body: body))
            }
            try answer.request.expect("the body", answer.echo().body, is: content)
        },
        TransportBehavior("a Teapot loads an image") { trial in
            let client = trial.client()
            let error: TeapotError? = await withCheckedContinuation { continuation in
                _ = client.downloadImage(path: "image/png", timeoutInterval: trial.timeout) { result in
                    switch result {
                    case .success: continuation.resume(returning: nil)
                    case .failure(_, let error): continuation.resume(returning: error)
                    }
                }
            }
            let checked = trial.checked(Teapot.Request(path: "image/png"))
            try checked.expect(error == nil, "an image", received: error.map(TransportTrial.text) ?? "")
        },
        TransportBehavior("a Teapot reads a body in pieces") { trial in
            let request = Teapot.Request(path: "range/100000")
            let content = try await trial.success(of: request) { request in
                try await trial.client().bytes(request).chunks.reduce(into: Data()) { $0 += $1 }
            }
            try trial.checked(request).expect("the body", content, is: TransportTrial.letters(100_000))
        },
        TransportBehavior("a call of a Teapot that is cancelled ends its exchange") { trial in
            let request = Teapot.Request(path: "delay/10")
            let watched = WatchedTransport(trial, for: request)
            let client = trial.client(watched)
            let call = Task { try await trial.failure(of: request, by: client) }
            watched.afterStart { call.cancel() }
            let error = try await call.value
            try trial.checked(request).expect("the error", error.type, is: .cancelled)
            try await watched.exchange.expectPrematureEnd()
        },
        TransportBehavior("a call of a Teapot that times out ends its exchange") { trial in
            let request = Teapot.Request(path: "delay/10", timeoutInterval: 0.3)
            let watched = WatchedTransport(trial, for: request)
            let error = try await trial.failure(of: request, by: trial.client(watched))
            let isTimeout = error.type == .noResponse && (error.underlyingError as? URLError)?.code == .timedOut
            try trial.checked(request).expect(isTimeout, "a timeout", received: TransportTrial.text(of: error))
            try await watched.exchange.expectPrematureEnd()
        },
    ]
}
