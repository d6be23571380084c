import Foundation
import Teapot

// .ci/dependent expects this to be refused: otherwise the protocol's default would be sent.

struct GetNote: Endpoint {
    let path = "notes"
    let method = HTTPMethod(rawValue: "PROPFIND")
}
