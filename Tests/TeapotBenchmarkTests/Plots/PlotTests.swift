import Foundation
import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct PlotTests {
    @Test(
        arguments: [
            ([1, 1.5], [1, 2]), ([0.07, 3], [0.05, 0.1, 0.2, 0.5, 1, 2, 5]), ([5], [5, 10]), ([], [1, 2]),
            ([0, -1, .nan, .infinity], [1, 2]), ([200, 300], [200, 500]),
        ]
    ) func `the marks enclose all values`(values: [Double], marks: [Double]) {
        let scale = LogScale(values, from: 0, to: 100)
        #expect(scale.marks.count == marks.count)
        #expect(zip(scale.marks, marks).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
    }

    @Test func `equal factors have equal distances`() {
        let scale = LogScale([1, 10], from: 200, to: 100)
        #expect(scale.place(1) == 200)
        #expect(scale.place(10) == 100)
        #expect(abs(scale.place(10.squareRoot()) - 150) < 1e-9)
        #expect(scale.place(0) == 200)
        #expect(scale.place(1_000) == 100)
        #expect(scale.place(.nan) == 200)
    }

    @Test func `texts are escaped`() {
        var svg = SVG(width: 10, height: 10)
        svg.text(1.26, 2, "a<b & c")
        #expect(svg.description.contains(##"x="1.3" y="2.0" text-anchor="start" fill="#222">a&lt;b &amp; c</text>"##))
    }

    private func report(_ ratios: [Double]) -> CaseReport {
        let rounds = Rounds(count: ratios.count) { number in
            let peer = Sample(seconds: 3 * ratios[number - 1])
            let samples = Sides(
                baseline: Sample(seconds: 1),
                teapot: Sample(seconds: ratios[number - 1]),
                others: [Side(rawValue: "Peer"): peer]
            )
            return (value: samples, isDisturbed: false)
        }
        let requests = Sides(baseline: 1, teapot: 1, others: [Side(rawValue: "Peer"): 1])
        return CaseReport(.get(), .success(CaseReport.Outcome(requests: requests, rounds)))
    }

    @Test func `ratios are drawn as bars with quartiles, starting at 1`() {
        var benchmark = BenchmarkReport(machine: .current)
        benchmark.cases = [
            report([0.25, 0.5, 0.75]), report([.nan, .nan]),
            CaseReport(.post, .failure(CaseFailure("it failed"))),
        ]
        #expect(benchmark.comparedSides.map(\.rawValue) == ["teapot", "curl", "Peer"])
        let text = benchmark.plot.description
        // A bar for Teapot and one for the peer, in two cases, three squares of the legend, and the ground.
        #expect(text.components(separatedBy: "<rect").count - 1 == 2 * 2 + 3 + 1)
        #expect(text.contains(">0.500</text>") && text.contains(">1.500</text>"))
        #expect(!text.contains(">post</text>"))
        #expect(!text.contains("\"nan\""))
        #expect(benchmark.summary.contains("| Peer µs | ratio | quartiles | CPU ratio | goal | result |"))
    }

    @Test func `growth is drawn as lines`() {
        let points = [1, 10, 100].map { count in
            GrowthPoint(
                count: count,
                requests: count,
                microseconds: 300,
                processorMicroseconds: 0,
                peakMemory: 30_000_000,
                residentMemory: nil
            )
        }
        var growth = GrowthReport(machine: .current)
        growth.parts = [GrowthReport.Part(axis: .requests, points: Sides(baseline: points, teapot: points))]
        // Three points for each side, for time and for memory.
        #expect(growth.plot.description.components(separatedBy: "<circle").count - 1 == 3 * 2 * 2)
    }
}
