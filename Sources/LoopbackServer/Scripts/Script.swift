package import Foundation

/// The behavior of one connection in place of the routes: slow, cut off, malformed, huge or wrong on purpose.
///
/// After the last step, the connection is closed.
package struct Script: Sendable {
    /// The steps of the connection, in order.
    package var steps: [Step]

    /// Makes a script of these steps.
    package init(_ steps: [Step]) {
        self.steps = steps
    }

    /// One thing a connection does.
    package enum Step: Sendable {
        /// Read one whole request, head and body, and record it.
        case readRequest

        /// Read the head of a request only.
        case readHead

        /// Read the body after the head that was read last, and record the request.
        case readBody

        /// Send these bytes as they are.
        case send(Data)

        /// Do nothing for a time in seconds. `stop()` ends it.
        case pause(TimeInterval)

        /// Hold until ``LoopbackServer/release()``.
        case waitForRelease

        /// Close the connection in order. The system makes that a reset if the request has not been read.
        case close

        /// Send nothing more, but leave the connection open for the client: what it still sends makes no reset.
        case finishSending

        /// Close the connection with a reset (RST).
        case reset

        /// Say nothing more, but keep the connection until the client hangs up or the server stops.
        case stall

        /// Send text as UTF-8.
        package static func send(_ text: String) -> Step {
            .send(Data(text.utf8))
        }
    }
}
