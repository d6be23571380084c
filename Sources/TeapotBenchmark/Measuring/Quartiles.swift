/// The values that a quarter, a half and three quarters of all values do not exceed.
struct Quartiles: Codable, Sendable {
    let lower: Double
    let median: Double
    let upper: Double

    /// Between two values, the place is interpolated. Of no values, all are NaN.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        func quantile(_ part: Double) -> Double {
            guard let last = sorted.last else { return .nan }
            let place = part * Double(sorted.count - 1)
            let index = Int(place)
            let next = index + 1 < sorted.count ? sorted[index + 1] : last
            return sorted[index] + (next - sorted[index]) * (place - Double(index))
        }
        lower = quantile(0.25)
        median = quantile(0.5)
        upper = quantile(0.75)
    }
}
