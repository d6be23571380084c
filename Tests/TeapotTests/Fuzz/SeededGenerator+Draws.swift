import LoopbackServer

extension SeededGenerator {
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        .random(in: range, using: &self)
    }

    /// Whether something happens that does so once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool {
        number(1...count) == 1
    }

    /// One of some values, of which there must be any.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[number(0...values.count - 1)]
    }
}
