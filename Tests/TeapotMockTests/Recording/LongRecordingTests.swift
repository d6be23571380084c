import Foundation
import TestTraits
import Teapot
import TestSupport
import Testing

@testable import TeapotMock

/// Secrets that a server chooses so that they are hard to find again. If the time grows with the square of their size, these
/// take minutes; see `LongInputTests`.
@Suite(.inTurn, .exitTests)
struct LongRecordingTests {
    enum Shape: String, CaseIterable {
        /// Thousands that begin with the same bytes, and a text full of these.
        case equalBeginnings
        /// Each is the beginning of the next one.
        case nested
        /// One whose beginning is nearly found at every place.
        case periodic
        /// Encoded and plain letters in every order.
        case mixtures
        /// A word of hundreds of thousands of letters after another word.
        case longWord
        /// Thousands in the attributes of one element of kept XML.
        case attributes
        /// Binary data that nearly contains one at every place.
        case binary

        func bodies(_ size: Int) -> [Data] {
            let secrets: [String]
            var text = ""
            switch self {
            case .equalBeginnings:
                secrets = (0..<(size / 40)).map { "t-t-t-\(100_000 + $0)" }
                text = String(repeating: "t-", count: size / 4)
            case .nested:
                secrets = (1...Int(Double(size).squareRoot())).map { String(repeating: "t-", count: $0) + "x" }
                text = String(repeating: "t-", count: size / 4)
            case .periodic:
                secrets = [String(repeating: "t-", count: size / 4) + "x"]
                text = String(repeating: "t-", count: size / 4)
            case .mixtures:
                secrets = (0..<(size / 100)).map { number in
                    (0..<16).map { number >> $0 & 1 == 0 ? "-" : "%2D" }.joined() + "x"
                }
                text = String(repeating: "%2D", count: size / 6)
            case .longWord:
                secrets = ["Digest \(String(repeating: "a", count: size))"]
            case .attributes:
                return [Data("<a \(String(repeating: #"token="a" "#, count: size))/>".utf8)]
            case .binary:
                secrets = [String(repeating: "t-", count: size / 4) + "x"]
                return [
                    Data("[{\"token\":\"\(secrets[0])\"}]".utf8),
                    Data([0xFF]) + Data(String(repeating: "t-", count: size / 4).utf8),
                ]
            }
            let tokens = secrets.map { "{\"token\":\"\($0)\"}" }.joined(separator: ",")
            return [Data("[\(tokens),{\"text\":\"\(text)\"}]".utf8)]
        }
    }

    static func record(_ shape: Shape, size: Int) throws -> String {
        let run = try RecordingRun(keptMediaTypes: ["application/xml"])
        for body in shape.bodies(size) {
            try run.exchange(Teapot.Request(path: "notes")) { hop in
                hop.respond(200, headers: shape == .attributes ? ["Content-Type": "application/xml"] : [:])
                hop.report(.data(body))
                hop.report(.finished(nil))
            }
        }
        return try run.text()
    }

    @Test func `secrets of a server are redacted in time that grows with them`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 60, rlim_max: 60)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0)
            for shape in LongRecordingTests.Shape.allCases {
                let text = try LongRecordingTests.record(shape, size: 30_000)
                #expect(text.contains("redacted-1"))
            }
        }
    }
}
