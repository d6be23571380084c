import Foundation
import Teapot

// .ci/dependent expects this to be refused: the response could not be decoded.

struct Note: Sendable {}

struct GetNote: Endpoint {
    let request: Teapot.Request = "notes"
    typealias Response = Note
}
