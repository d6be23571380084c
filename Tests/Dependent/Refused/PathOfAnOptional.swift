import Foundation
import Teapot

// .ci/dependent expects this to be refused: `nil` is no segment of a path.

func note(_ teapot: Teapot, _ id: Int?) async throws -> Teapot.Response {
    try await teapot.get("notes/\(id)")
}
