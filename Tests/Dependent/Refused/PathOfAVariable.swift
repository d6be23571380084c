import Foundation
import Teapot

// .ci/dependent expects this to be refused: the text could lead anywhere. `Teapot.Path(path)` says that it may.

func note(_ teapot: Teapot, _ path: String) async throws -> Teapot.Response {
    try await teapot.get(path)
}
