import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct QuartilesTests {
    @Test(
        arguments: [
            ([7], 7, 7, 7), ([1, 2], 1.25, 1.5, 1.75), ([5, 1, 4, 2, 3], 2, 3, 4), ([4, 3, 2, 1], 1.75, 2.5, 3.25),
        ]
    ) func `lie a quarter, a half and three quarters of the way`(
        values: [Double],
        lower: Double,
        median: Double,
        upper: Double
    ) {
        let quartiles = Quartiles(values)
        #expect(quartiles.lower == lower)
        #expect(quartiles.median == median)
        #expect(quartiles.upper == upper)
    }

    @Test func `do not exist for no values`() {
        #expect(Quartiles([]).median.isNaN)
    }
}
