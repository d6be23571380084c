/// Why a case, or a part of it, has no figures.
struct CaseFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
