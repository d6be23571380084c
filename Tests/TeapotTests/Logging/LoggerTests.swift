import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn, .exitTests)
struct LoggerTests {
    private let entries = Entries()

    @Test(arguments: [
        (Logger.LogLevel.none, []), (.error, ["e"]), (.incomingData, ["e", "i"]),
        (.incomingAndOutgoingData, ["e", "i", "o"]),
    ])
    func `writes up to its level`(level: Logger.LogLevel, messages: [String]) {
        let logger = Logger(level: level, output: entries.append)
        let evaluated = Counter()
        func message(_ text: String) -> String {
            evaluated.increment()
            return text
        }
        let written = [
            logger.errorLog(message("e")), logger.incomingDataLog(message("i")),
            logger.incomingAndOutgoingDataLog(message("o")),
        ]
        #expect(written == (0..<3).map { $0 < messages.count })
        #expect(entries.all.compactMap { $0.last.map(String.init) } == messages)
        #expect(evaluated.value == messages.count)
    }

    @Test func `writes to standard error`() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            let logger = Logger(level: .error, output: Logger.standardError)
            logger.errorLog("no tea")
        }
        let written = try #require(result)
        #expect(String(decoding: written.standardErrorContent, as: UTF8.self).hasSuffix("no tea\n"))
        #expect(!String(decoding: written.standardOutputContent, as: UTF8.self).contains("no tea"))
    }

    @Test func `writes time, kind and place`() {
        let logger = Logger(level: .incomingAndOutgoingData, output: entries.append)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        logger.errorLog("broken", file: "A/B.swift", line: 7, at: date)
        logger.incomingDataLog("← 200", file: "A/B.swift", line: 8, at: date)
        logger.incomingAndOutgoingDataLog("→ GET", file: "A/B.swift", line: 9, at: date)
        #expect(
            entries.all == [
                "2023-11-14T22:13:20Z [error] A/B.swift:7 broken",
                "2023-11-14T22:13:20Z [incoming] A/B.swift:8 ← 200",
                "2023-11-14T22:13:20Z [outgoing] A/B.swift:9 → GET",
            ]
        )
    }

    @Test func `is safe from any thread`() {
        let logger = Logger(level: .error, output: entries.append)
        DispatchQueue.concurrentPerform(iterations: 500) { index in
            if index.isMultiple(of: 5) { logger.currentLevel = .incomingData }
            logger.errorLog("\(index)")
        }
        #expect(entries.all.count == 500)
        #expect(Set(entries.all.compactMap { $0.split(separator: " ").last }).count == 500)
    }

    // MARK: - Bodies and header fields

    @Test func `shows header fields`() throws {
        let url = try #require(URL(string: "http://h"))
        let fields = ["X-B": "2", "X-A": "1", "Set-Cookie": "a=hush"]
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        #expect(Logger.logHeaderString(from: response) == "Set-Cookie: <redacted>\nX-A: 1\nX-B: 2")
        #expect(Logger.logHeaderString(from: nil).isEmpty)
        let other = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        #expect(Logger.logHeaderString(from: other).isEmpty)
    }
}

private final class Entries: Sendable {
    private let texts = Locked([String]())

    var all: [String] { texts.withLock { $0 } }

    @Sendable func append(_ text: String) {
        texts.withLock { $0.append(text) }
    }
}

private final class Counter: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    func increment() {
        count.withLock { $0 += 1 }
    }
}
