import Foundation
import Teapot

// .ci/dependent expects this to be refused: a date says how it is written, as in `date.formatted(.iso8601)`.

func notes(_ teapot: Teapot, since date: Date) async throws -> Teapot.Response {
    try await teapot.get("notes", query: ["since": date])
}
