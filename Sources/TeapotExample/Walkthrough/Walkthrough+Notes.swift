import Teapot

extension Walkthrough {
    func showNotes() {
        let note = Note(id: 3, title: "Call mum")

        checklist.step("list notes") {
            let notes = try answer { client.notes(completion: $0) }
            try expect([Note(id: 1, title: "Buy tea"), Note(id: 2, title: "Water the plants")], found: notes)
            return notes.map { "\($0.id) \($0.title)" }.joined(separator: ", ")
        }

        checklist.step("create a note") {
            let created = try answer { client.create(id: note.id, title: note.title, completion: $0) }
            try expect(note, found: created)
            return "\(created.id) \(created.title)"
        }

        checklist.step("replace a note (put)") {
            var changed = note
            changed.title = "Call mémé & papy 🫖"
            let updated = try answer { client.update(changed, completion: $0) }
            try expect(changed, found: updated)
            return "\(updated.id) \(updated.title)"
        }

        checklist.step("change a note (patch)") {
            let finished = try answer { client.finish(note, completion: $0) }
            try expect(Note(id: note.id, title: note.title, isDone: true), found: finished)
            return "\(finished.id) \(finished.title), done"
        }

        checklist.step("delete a note") {
            let id = try answer { client.delete(note, completion: $0) }
            try expect(note.id, found: id)
            return "\(id)"
        }
    }
}
