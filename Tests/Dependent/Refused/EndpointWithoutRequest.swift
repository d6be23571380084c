import Teapot

// .ci/dependent expects this to be refused: a request that is misspelled is not silently replaced by a default.

struct GetNote: Endpoint {
    var requests: Teapot.Request { "notes" }
}
