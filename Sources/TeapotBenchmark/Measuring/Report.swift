import Foundation

/// What was measured of a case, as it is printed.
struct Report: CustomStringConvertible {
    let name: String
    let rounds: [Round]
    let requests: Int
    let cores: Int

    var description: String {
        """
        \(name)
        \(rounds.count) rounds of \(requests) requests, \(cores) cores

                    µs/request      quartiles          requests/s
        URLSession  \(line(Quartiles(rounds.map(\.baseline))))
        Teapot      \(line(Quartiles(rounds.map(\.teapot))))

        Teapot takes \(number(ratio.median, 3)) times as long as URLSession \
        (median of the rounds; quartiles \(number(ratio.lower, 3)) and \(number(ratio.upper, 3))).
        """
    }

    private var ratio: Quartiles { Quartiles(rounds.map(\.ratio)) }

    private func line(_ seconds: Quartiles) -> String {
        let microseconds = [seconds.median, seconds.lower, seconds.upper].map { number($0 * 1e6, 1) }
        return padded(microseconds[0], to: 10)
            + padded("\(microseconds[1]) … \(microseconds[2])", to: 18)
            + padded(number(1 / seconds.median, 0), to: 13)
    }

    private func number(_ value: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }

    private func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
