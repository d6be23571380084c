import Foundation
import Teapot

// .ci/dependent expects this to be refused: otherwise the protocol's default would be sent.

struct Note: Sendable {}

struct GetNote: Endpoint {
    let path = "notes"
    let note = Note()
    var body: Note { note }
}
