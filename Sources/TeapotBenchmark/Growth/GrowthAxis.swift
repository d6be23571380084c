/// What time and memory may grow with.
enum GrowthAxis: String, CaseIterable, Codable, Sendable {
    /// How many requests are under way at once.
    case inFlight
    /// How many requests are made, one after the other.
    case requests

    /// How many requests tell the time of one, however many are under way at once.
    static let requestsInFlight = 4_000

    var title: String {
        switch self {
        case .inFlight: "in flight"
        case .requests: "requests"
        }
    }

    /// No more are tried.
    var largest: Int {
        switch self {
        case .inFlight: 1_000
        case .requests: 100_000
        }
    }

    /// From so many on the time of a request says something: before, it is that of the first ones of a process.
    var firstTimed: Int {
        switch self {
        case .inFlight: 1
        case .requests: 100
        }
    }

    /// The case that makes the requests.
    func caseName(_ count: Int) -> String {
        self == .requests || count == 1 ? "get" : "get-\(count)"
    }
}
