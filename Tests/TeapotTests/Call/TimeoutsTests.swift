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

    @Test
    mutating func `its timeout does not begin while something moves on the connections, or all responses are read`() {
        #expect(error(at: .seconds(1_000)) == nil)
        movement.hold(true)
        for time in 1...5 {
            movement.move()
            #expect(error(at: .seconds(1_000 + 15 * time)) == nil)
        }
        #expect(error(at: .seconds(1_089)) == nil)
        let reason = "waited 1090 s for one of 6 connections to api.example, on which nothing moved"
        #expect(error(at: .seconds(1_090)) == "\(reason): 1 of the responses there are not read")
        movement.hold(false)
        #expect(error(at: .seconds(1_200)) == nil)
    }

    /// What has arrived meanwhile is not read yet.
    @Test mutating func `a timer that fires much too late, as the process was stopped, gives more time once`() {
        timeouts.progress(at: .zero)
        timeouts.forgiveStop(at: .seconds(15))
        #expect(error(at: .seconds(15)) == "there was no progress for 15.0 seconds")
        timeouts.forgiveStop(at: .seconds(60))
        #expect(timeouts.wakeTime == .seconds(60.25))
        #expect(error(at: .seconds(60.2)) == nil)
        #expect(error(at: .seconds(60.25)) != nil)
        // Once, unless something has arrived.
        timeouts.forgiveStop(at: .seconds(120))
        #expect(error(at: .seconds(120)) != nil)
        timeouts.progress(at: .seconds(120))
        timeouts.forgiveStop(at: .seconds(180))
        #expect(error(at: .seconds(180)) == nil)
        // The deadline stays.
        timeouts.progress(at: .seconds(180))
        timeouts.deadline = .seconds(200)
        timeouts.forgiveStop(at: .seconds(300))
        #expect(error(at: .seconds(300)) == URLError.deadlinePassed.localizedDescription)
    }

    @Test mutating func `a transport that does not say whether anything moves lets it wait`() {
        timeouts.enter((origin, 1, nil))
        #expect(error(at: .seconds(1_000)) == nil)
        timeouts.deadline = .seconds(2_000)
        #expect(error(at: .seconds(2_000)) == "waited 2000 s for the only connection to api.example")
    }
}
