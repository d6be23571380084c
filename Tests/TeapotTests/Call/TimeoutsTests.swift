@testable import Teapot
import TestTraits
import Testing

/// The times of an exchange that waits in line for a connection.
@Suite(.inTurn)
struct TimeoutsTests {
    private let origin: Origin
    private let movement = LineMovement()
    private var timeouts = Exchange.Timeouts(from: .zero, timeout: .seconds(15), deadline: nil)

    init() throws {
        origin = try #require(URL(string: "http://api.example").flatMap(Origin.init))
        timeouts.enter((origin, 6, movement))
    }

    /// Looks at the time as an exchange does.
    private mutating func error(at now: Duration) -> String? {
        if timeouts.isLineMoving() { timeouts.progress(at: now, inLine: true) }
        return timeouts.error(at: now)?.localizedDescription
    }

    @Test mutating func `its timeout does not begin while something moves on the connections`() {
        for time in 1...5 {
            movement.move()
            #expect(error(at: .seconds(15 * time)) == nil)
        }
        #expect(error(at: .seconds(89)) == nil)
        #expect(
            error(at: .seconds(90)) == "waited 90 s for one of 6 connections to api.example, on which nothing moved"
        )
    }

    @Test mutating func `the reason says who holds the connections`() {
        for _ in 0..<3 { movement.hold(true) }
        movement.hold(false)
        let line = "one of 6 connections to api.example"
        #expect(
            error(at: .seconds(15))
                == "waited 15 s for \(line), on which nothing moved: 2 of the responses there are not read"
        )
    }

    @Test mutating func `a transport that does not say whether anything moves lets it wait`() {
        timeouts.enter((origin, 1, nil))
        #expect(error(at: .seconds(1_000)) == nil)
        timeouts.deadline = .seconds(2_000)
        #expect(error(at: .seconds(2_000)) == "waited 2000 s for the only connection to api.example")
    }
}
