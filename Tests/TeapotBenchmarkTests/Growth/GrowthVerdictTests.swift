import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct GrowthVerdictTests {
    private static let counts = [1, 10, 100, 1_000, 10_000, 100_000]

    /// Points with so many microseconds for a request, and so many bytes.
    private func points(
        microseconds: (Double) -> Double = { _ in 300 },
        bytes: (Double) -> Double = { _ in 3e7 }
    ) -> [GrowthPoint] {
        Self.counts.map { count in
            GrowthPoint(
                count: count,
                requests: count,
                microseconds: microseconds(Double(count)),
                processorMicroseconds: 0,
                peakMemory: Int(bytes(Double(count))),
                residentMemory: nil
            )
        }
    }

    @Test func `the first requests may take longer`() {
        #expect(GrowthVerdict.isTimeLinear(points { 300 + 3_000 / $0 }, from: 100))
    }

    @Test func `quadratic growth of time is detected`() {
        #expect(!GrowthVerdict.isTimeLinear(points { 300 + $0 / 100 }, from: 100))
    }

    @Test(arguments: [0, 250, 5_000]) func `memory may grow by the same for each request`(bytes: Int) {
        let points = points(bytes: { 3e7 + $0 * Double(bytes) })
        #expect(GrowthVerdict.isMemoryLinear(points, \.peakMemory) == true)
    }

    /// It comes and goes by less than two megabytes.
    @Test func `chance is not growth`() {
        let points = points(bytes: { $0 == 1_000 ? 3.19e7 : $0 == 10_000 ? 3e7 : 3.1e7 })
        #expect(GrowthVerdict.isMemoryLinear(points, \.peakMemory) == true)
    }

    @Test func `quadratic growth of memory is detected`() {
        let points = points(bytes: { 3e7 + $0 * $0 / 10 })
        #expect(GrowthVerdict.isMemoryLinear(points, \.peakMemory) == false)
    }

    @Test func `memory that is not known is not judged`() {
        #expect(GrowthVerdict.isMemoryLinear(points(), \.residentMemory) == nil)
    }
}
