import Foundation
import TestSupport
import Testing

import TestTraits
@testable internal import Teapot

@Suite(.inTurn)
struct ProgressMeterTests {
    private func finish(_ meter: ProgressMeter) async {
        await withCheckedContinuation { continuation in meter.finish { continuation.resume() } }
    }

    @Test func `reports the last value always, and few of many`() async {
        let reported = Locked<[Teapot.TransferProgress]>([])
        let meter = ProgressMeter(DispatchTimer()) { step in reported.withLock { $0.append(step) } }
        let start = DispatchTime.now()
        for bytes in 1...100_000 { meter.update(Teapot.TransferProgress(bytes: bytes, expectedBytes: 100_000)) }
        await finish(meter)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        let steps = reported.withLock { $0 }
        #expect(steps.last == Teapot.TransferProgress(bytes: 100_000, expectedBytes: 100_000))
        // The first at once, one for each interval, and the last.
        #expect(Double(steps.count) <= seconds * 10 + 2)
        #expect(steps.map(\.bytes) == steps.map(\.bytes).sorted())
    }

    @Test func `reports nothing after the last value`() async {
        let reported = Locked(0)
        let meter = ProgressMeter(DispatchTimer()) { _ in reported.withLock { $0 += 1 } }
        meter.update(Teapot.TransferProgress(bytes: 1, expectedBytes: nil))
        await finish(meter)
        let count = reported.withLock { $0 }
        #expect(count == 1)
        meter.update(Teapot.TransferProgress(bytes: 2, expectedBytes: nil))
        await finish(meter)
        #expect(reported.withLock { $0 } == count)
    }

    @Test func `reports nothing for an empty body`() async {
        let reported = Locked(0)
        await finish(ProgressMeter(DispatchTimer()) { _ in reported.withLock { $0 += 1 } })
        #expect(reported.withLock { $0 } == 0)
    }

    @Test(
        arguments: [
            (5, 10, 0.5), (10, 10, 1), (0, 0, 1), (11, 10, 1), (5, nil, nil),
        ] as [(Int, Int?, Double?)]
    )
    func `knows the fraction`(bytes: Int, expectedBytes: Int?, fraction: Double?) {
        #expect(Teapot.TransferProgress(bytes: bytes, expectedBytes: expectedBytes).fraction == fraction)
    }
}
