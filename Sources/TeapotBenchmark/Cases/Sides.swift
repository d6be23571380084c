/// A value for each of the two ways of a case.
struct Sides<Value> {
    let baseline: Value
    let teapot: Value

    subscript(side: Side) -> Value {
        switch side {
        case .baseline: baseline
        case .teapot: teapot
        }
    }

    init(baseline: Value, teapot: Value) {
        self.baseline = baseline
        self.teapot = teapot
    }

    /// Makes the values one after the other, that of the baseline first unless the order is turned round.
    init(turnedRound: Bool = false, _ make: (Side) throws -> Value) rethrows {
        if turnedRound {
            teapot = try make(.teapot)
            baseline = try make(.baseline)
        } else {
            baseline = try make(.baseline)
            teapot = try make(.teapot)
        }
    }
}

extension Sides: Sendable where Value: Sendable {}
extension Sides: Codable where Value: Codable {}
