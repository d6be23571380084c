/// A value for each way of a case.
struct Sides<Value> {
    let baseline: Value
    let teapot: Value
    /// Those of the ways that not every case has.
    var others: [Side: Value]

    subscript(side: Side) -> Value? {
        switch side {
        case .baseline: baseline
        case .teapot: teapot
        default: others[side]
        }
    }

    init(baseline: Value, teapot: Value, others: [Side: Value] = [:]) {
        self.baseline = baseline
        self.teapot = teapot
        self.others = others
    }

    /// All of them, in the order of the ways.
    var all: [(side: Side, value: Value)] {
        let sorted = others.sorted { $0.key.rank < $1.key.rank }
        return [(.baseline, baseline), (.teapot, teapot)] + sorted.map { ($0.key, $0.value) }
    }

    /// Those that this program does by itself, without peers.
    var own: Sides { Sides(baseline: baseline, teapot: teapot, others: others.filter { Side.own.contains($0.key) }) }

    /// Makes other values of them, one after the other, in the order of the ways.
    func map<Other>(_ make: (Side, Value) throws -> Other) rethrows -> Sides<Other> {
        Sides<Other>(
            baseline: try make(.baseline, baseline),
            teapot: try make(.teapot, teapot),
            others: try all.dropFirst(2).reduce(into: [:]) { made, other in
                made[other.side] = try make(other.side, other.value)
            }
        )
    }
}

extension Sides: Sendable where Value: Sendable {}
extension Sides: Codable where Value: Codable {}

/// A way in which a case is done. Each peer is one, by its name.
struct Side: RawRepresentable, Hashable, Codable, CodingKeyRepresentable, Sendable {
    static let baseline = Side(rawValue: "baseline")
    static let teapot = Side(rawValue: "teapot")
    /// Teapot over `CurlTransport`.
    static let curl = Side(rawValue: "curl")
    /// libcurl alone, by the same C target: no client is faster.
    static let floor = Side(rawValue: "floor")
    /// `MockTeapot`.
    static let mock = Side(rawValue: "mock")

    /// The ways that are no peers, in their order.
    static let own = [baseline, teapot, curl, mock, floor]

    let rawValue: String

    var title: String {
        switch self {
        case .teapot: "Teapot"
        case .curl: "TeapotCurl"
        case .floor: "libcurl"
        case .mock: "MockTeapot"
        default: rawValue
        }
    }

    /// Own ways first, then peers by their names.
    fileprivate var rank: (Int, String) { (Self.own.firstIndex(of: self) ?? Self.own.count, rawValue) }
}
