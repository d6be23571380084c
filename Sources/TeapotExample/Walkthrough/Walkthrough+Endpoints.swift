import Teapot
import TeapotMock

extension Walkthrough {
    func showEndpoints() async {
        let endpoints = NotesEndpointClient(api: client.teapot)
        let note = Note(id: 5, title: "Rinse the pot")

        await checklist.step("endpoints of an enum") {
            let titles = try await endpoints.titles(["Buy tea", "a+b & c"])
            try expect(["Buy tea", "a+b & c"], found: titles)
            let created = try await endpoints.create(note)
            try expect(note, found: created)
            try await endpoints.delete(created)
            return "listed \(titles.count), created and deleted \(created.id) \(created.title)"
        }

        await checklist.step("an endpoint parses itself") {
            let found = try await endpoints.note(5)
            try expect(5, found: found.id)
            return found.title
        }

        await checklist.step("an endpoint's error decodes") {
            let error = try await error { () throws(TeapotError) in try await endpoints.drawing() }
            return try error.decode(failureOf: NotesEndpoint.self).message
        }

        await checklist.step("answer endpoints by type") {
            let mock = MockTeapot(strictIn: .main)
            try mock.overrideEndPoint(GetNote.self, with: .status(.ok))
            let found = try await NotesEndpointClient(api: mock).note(17)
            try mock.verify()
            try expect(17, found: found.id)
            return "\(found.title), without a server"
        }
    }
}
