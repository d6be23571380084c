import Foundation
import Teapot

// .ci/dependent expects this to be refused: otherwise the protocol's default would be sent.

struct GetNote: Endpoint {
    let path = "notes"
    let headerFields: [String: String]? = ["X-Kind": "green"]
}
