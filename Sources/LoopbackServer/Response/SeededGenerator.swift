/// Random numbers that are the same for the same seed: SplitMix64 (https://doi.org/10.1145/2714064.2660195). Content is made of
/// them, and a test or a trial that fails is repeated from its seed.
package struct SeededGenerator: RandomNumberGenerator {
    private let seed: UInt64
    private var index = 0

    package init(seed: UInt64) {
        self.seed = seed
    }

    package mutating func next() -> UInt64 {
        defer { index += 1 }
        return Self.value(at: index, seed: seed)
    }

    /// One number of the sequence, without those before it.
    static func value(at index: Int, seed: UInt64) -> UInt64 {
        let state = seed &+ UInt64(bitPattern: Int64(index &+ 1)) &* 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
