import Teapot

extension Walkthrough {
    func showNotes() async {
        let note = Note(id: 3, title: "Call mum")

        await checklist.step(
            "get, and decode",
            code: """
                struct Answer: Decodable {
                    let args: [String: String]
                }
                let teapot = Teapot(baseURL: baseURL)
                let query: QueryItems = ["title": "50 % of a+b=c & d; e/f? #1 🫖"]
                let answer = try await teapot.get("get", as: Answer.self, query: query)
                """
        ) {
            struct Answer: Decodable {
                let args: [String: String]
            }
            let teapot = Teapot(baseURL: baseURL)
            let query: QueryItems = ["title": "50 % of a+b=c & d; e/f? #1 🫖"]
            let answer = try await teapot.get("get", as: Answer.self, query: query)
            let title = answer.args["title"] ?? ""
            try expect(query.first?.value, found: title)
            return "the server received the title \(title)"
        }

        await checklist.step("list notes") {
            let notes = try await client.notes(titled: ["Buy tea", "Water the plants"])
            try expect([Note(id: 1, title: "Buy tea"), Note(id: 2, title: "Water the plants")], found: notes)
            return notes.map { "\($0.id) \($0.title)" }.joined(separator: ", ")
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

        await checklist.step("create a note") {
            let created = try await client.create(note)
            try expect(note, found: created)
            return "\(created.id) \(created.title)"
        }

        await checklist.step("replace a note (put)") {
            var changed = note
            changed.title = "Call mémé & papy 🫖"
            let updated = try await client.update(changed)
            try expect(changed, found: updated)
            return "\(updated.id) \(updated.title)"
        }

        await checklist.step("change a note (patch)") {
            let finished = try await client.change(note, NoteChange(isDone: true))
            try expect(Note(id: note.id, title: note.title, isDone: true), found: finished)
            return "\(finished.id) \(finished.title), done"
        }
    }

    func showClosures() async {
        let note = Note(id: 4, title: "Descale the kettle")

        await checklist.step("create a note (closure)") {
            let created = try await withCheckedContinuation { continuation in
                client.create(note) { continuation.resume(returning: $0) }
            }.get()
            try expect(note, found: created)
            return "\(created.id) \(created.title)"
        }

        await checklist.step("delete a note (closure)") {
            let id = try await withCheckedContinuation { continuation in
                client.delete(note) { continuation.resume(returning: $0) }
            }.get()
            try expect(note.id, found: id)
            return "\(id)"
        }
    }

    func showBlocking() async {
        await checklist.step("wait without await") {
            let count = try client.count(titled: "Buy tea")
            try expect(1, found: count)
            return "\(count) note, and the main thread waited for it"
        }
    }
}
