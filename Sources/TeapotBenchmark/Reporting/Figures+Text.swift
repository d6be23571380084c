import Foundation

extension Double {
    /// With as many digits as are worth reading.
    var text: String { text(digits: abs(self) < 10 ? 2 : abs(self) < 1_000 ? 1 : 0) }

    func text(digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension Quartiles {
    var rangeText: String { "\(lower.text) … \(upper.text)" }

    func rangeText(digits: Int) -> String { "\(lower.text(digits: digits)) … \(upper.text(digits: digits))" }
}

extension Int {
    /// So many bytes.
    var megabytes: String { "\((Double(self) / 1e6).text(digits: 1)) MB" }
}
