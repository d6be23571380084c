import Foundation

/// One thing to measure, done in several ways that do the same work and deliver it in the same way.
struct Case: Sendable {
    /// Makes what does the work, with a client of its own.
    ///
    /// - Parameter server: The URL below which the ``SampleFiles`` are.
    typealias Maker = @Sendable (_ server: URL) throws -> Workload

    /// The name for `--case`.
    let name: String
    /// The things that are compared.
    let summary: String
    /// The greatest ratio that is aimed at, Teapot to baseline; `nil` for none.
    let goal: Double?
    /// The most memory that Teapot's process is to have, in bytes; `nil` if memory is not measured.
    var peakMemoryGoal: Int?
    /// How many requests tell what one of them allocates; `nil` if that is not counted.
    var allocationRequests: Int?
    /// How many rounds are measured by default.
    var rounds = 31
    /// How many requests the baseline makes in a round by default.
    let requests: Int
    /// How many requests Teapot makes for each of the baseline, where one of them takes far less time.
    var teapotFactor = 1
    /// Whether one request takes so long that `--requests` only counts where it is less.
    var isSlow = false
    /// The baseline is the way a careful engineer would write it by hand.
    var makers: Sides<Maker>

    /// How many requests one side makes in a round.
    ///
    /// - Parameters:
    ///   - side: The side.
    ///   - asked: What `--requests` says.
    /// - Returns: The number.
    func requests(of side: Side, asked: Int?) -> Int {
        let count = asked.map { isSlow ? min($0, requests) : $0 } ?? requests
        return side == .baseline ? count : count * teapotFactor
    }
}

extension Case {
    /// All cases, in the order in which they are measured.
    static let all = [
        get(), get(inFlight: 8), get(inFlight: 64), getLarge, post, asyncDecodable, endpoint, retry, download, upload,
        bytes, mockedGet, largeMock, creation, coldStart,
    ]

    /// - Parameter name: The name of one of ``all``, or `get-N` for any number in flight.
    init?(named name: String) {
        if let known = Self.all.first(where: { $0.name == name }) {
            self = known
        } else if name.hasPrefix("get-"), let inFlight = Int(name.dropFirst(4)), (1...100_000).contains(inFlight) {
            self = .get(inFlight: inFlight)
        } else {
            return nil
        }
    }
}

/// Why a case, or a part of it, has no figures.
struct CaseFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A value for each way of a case.
struct Sides<Value> {
    let baseline: Value
    let teapot: Value
    /// The other sides, which not every case has.
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

    /// The sides of this program itself, without peers.
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

    /// The sides that are not peers, in their order.
    static let own = [baseline, teapot, curl, floor]

    let rawValue: String

    var title: String {
        switch self {
        case .teapot: "Teapot"
        case .curl: "TeapotCurl"
        case .floor: "libcurl"
        default: rawValue
        }
    }

    /// Own ways first, then peers by their names.
    fileprivate var rank: (Int, String) { (Self.own.firstIndex(of: self) ?? Self.own.count, rawValue) }
}
