import Teapot

// .ci/dependent expects this to be refused, with a sentence that helps.

struct GetNote: Endpoint {
    typealias Response = [String: String]

    var request: Teapot.Request { "notes/1" }
}

func note(by api: any RequestPerforming) {
    api.send(GetNote()) { result in print(result) }
}
