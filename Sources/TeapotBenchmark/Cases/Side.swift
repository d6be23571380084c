/// The two ways in which a case is done.
enum Side: String, CaseIterable, Codable, Sendable {
    case baseline
    case teapot

    var title: String {
        switch self {
        case .baseline: "baseline"
        case .teapot: "Teapot"
        }
    }
}
