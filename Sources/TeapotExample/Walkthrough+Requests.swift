import Teapot

/// Requests, their answers, and what may go wrong.
extension Walkthrough {
    func showRequests() async {
        await checklist.step(
            "get, and decode",
            code: """
                struct Answer: Decodable {
                    let args: [String: String]
                }
                let teapot = Teapot(baseURL: baseURL)
                let query: Teapot.QueryItems = ["title": "50 % of a+b=c & d; e/f? #1 🫖"]
                let answer = try await teapot.get("get", as: Answer.self, query: query)
                """
        ) {
            struct Answer: Decodable {
                let args: [String: String]
            }
            let teapot = Teapot(baseURL: baseURL)
            let query: Teapot.QueryItems = ["title": "50 % of a+b=c & d; e/f? #1 🫖"]
            let answer = try await teapot.get("get", as: Answer.self, query: query)
            let title = answer.args["title"] ?? ""
            try expect(query.items.first?.value, found: title)
            return "the server received the title \(title)"
        }

        await checklist.step(
            "post a value",
            code: """
                let note = Note(id: 3, title: "Call mum")
                let echo = try await teapot.post("anything/notes", body: note, as: Echo<Note>.self)
                """
        ) {
            let note = Note(id: 3, title: "Call mum")
            let echo = try await teapot.post("anything/notes", body: note, as: Echo<Note>.self)
            try expect(note, found: echo.json)
            return "the server received the \(echo.method) of note 3, Call mum"
        }

        await checklist.step("a client for one API") {
            let client = NotesClient(teapot: teapot)
            var note = try await client.create(Note(id: 3, title: "Call mum"))
            note.title = "Call mémé & papy 🫖"
            try expect(note, found: try await client.update(note))
            try await client.delete(note)
            return "created, updated and deleted note \(note.id), \(note.title)"
        }

        await checklist.step("endpoints") {
            let note = Note(id: 5, title: "Rinse the pot")
            let echo = try await teapot.send(CreateNote(note: note))
            try expect(note, found: echo.json)
            let error = try await failure { try await teapot.send(GetDrawing()) }
            let refusal = try error.decode(GetDrawing.Failure.self)
            return "created note \(note.id); a drawing is refused: \(refusal.message)"
        }

        await checklist.step("a call with a completion") {
            let title: String? = try await withCheckedThrowingContinuation { continuation in
                teapot.post("anything", parameters: ["title": "Descale the kettle"]) { result in
                    switch result {
                    case .success(let json, _):
                        let echo = json?.dictionary?["json"] as? [String: Any]
                        continuation.resume(returning: echo?["title"] as? String)
                    case .failure(_, _, let error): continuation.resume(throwing: error)
                    }
                }
            }
            try expect("Descale the kettle", found: title)
            return "the server received the title \(title ?? "")"
        }

        await checklist.step("wait without await") {
            let note = Note(id: 6, title: "Water the plants")
            try expect(note, found: try NotesClient(teapot: teapot).createAndWait(note))
            return "created note \(note.id), and the main thread waited for it"
        }
    }

    func showErrors() async {
        await checklist.step(
            "an error's body decodes",
            code: """
                var refusal: ServiceError?
                do {
                    try await teapot.get("status/406")
                } catch let error as TeapotError {
                    refusal = try error.decode(ServiceError.self)
                }
                """
        ) {
            var refusal: ServiceError?
            do {
                try await teapot.get("status/406")
            } catch let error as TeapotError {
                refusal = try error.decode(ServiceError.self)
            }
            guard let refusal else { throw Mismatch(expected: "a 406", found: "an answer") }
            return "\(refusal.message) Only: \(refusal.accept.joined(separator: ", "))"
        }

        await checklist.step("another shape is an error") {
            struct Misunderstood: Decodable {
                let url: Int
            }
            let error = try await failure { try await teapot.get("get", as: Misunderstood.self) }
            try expect(.decodingFailed, found: error.type)
            try expect(true, found: error.description.contains("$.url"))
            return error.description
        }

        await checklist.step("cancel a task") {
            let call = Task { try await teapot.get("delay/5") }
            try await teapot.get("get")
            call.cancel()
            let error = try await failure { try await call.value }
            try expect(.cancelled, found: error.type)
            return error.description
        }
    }

    func showCredentials() async {
        await checklist.step("log in with basic auth") {
            let client = NotesClient(teapot: teapot)
            try expect("ada", found: try await client.logIn(username: "ada", password: "correct-horse"))
            let error = try await failure { try await client.logIn(username: "ada", password: "guessed") }
            try expect(401, found: error.responseStatus)
            return "ada; another password: \(error.description)"
        }

        await checklist.step(
            "get a token once",
            code: """
                teapot.authenticator = Authenticator { _ in
                    let form = Teapot.Request.Body.form(["refresh_token": UUID().uuidString])
                    let answer = try await login.send(.init(.post, path: "anything", body: form), as: FormEcho.self)
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
                let form = Teapot.Request.Body.form(["refresh_token": UUID().uuidString])
                let answer = try await login.send(.init(.post, path: "anything", body: form), as: FormEcho.self)
                return .bearer(answer.form["refresh_token"] ?? "")
            }
            async let first = teapot.get("bearer", as: Token.self)
            async let second = teapot.get("bearer", as: Token.self)
            let tokens = try await [first.token, second.token]
            try expect(tokens[0], found: tokens[1])
            return "both calls sent the token \(tokens[0])"
        }
    }
}
