import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn, .exitTests)
struct LoggerTests {
    private let entries = Locked<[String]>([])

    private func logger(_ level: Logger.LogLevel) -> Logger {
        Logger(level: level) { [entries] entry in entries.withLock { $0.append(entry) } }
    }

    @Test(arguments: [
        (Logger.LogLevel.none, []), (.error, ["e"]), (.incomingData, ["e", "i"]),
        (.incomingAndOutgoingData, ["e", "i", "o"]),
    ])
    func `writes up to its level`(level: Logger.LogLevel, messages: [String]) {
        let logger = logger(level)
        let evaluated = Locked(0)
        func message(_ text: String) -> String {
            evaluated.withLock { $0 += 1 }
            return text
        }
        let written = [
            logger.errorLog(message("e")), logger.incomingDataLog(message("i")),
            logger.incomingAndOutgoingDataLog(message("o")),
        ]
        #expect(written == (0..<3).map { $0 < messages.count })
        #expect(entries.withLock { $0 }.compactMap { $0.last.map(String.init) } == messages)
        #expect(evaluated.withLock { $0 } == messages.count)
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
        let logger = logger(.incomingAndOutgoingData)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        logger.errorLog("broken", file: "A/B.swift", line: 7, at: date)
        logger.incomingDataLog("← 200", file: "A/B.swift", line: 8, at: date)
        logger.incomingAndOutgoingDataLog("→ GET", file: "A/B.swift", line: 9, at: date)
        #expect(
            entries.withLock { $0 } == [
                "2023-11-14T22:13:20Z [error] A/B.swift:7 broken",
                "2023-11-14T22:13:20Z [incoming] A/B.swift:8 ← 200",
                "2023-11-14T22:13:20Z [outgoing] A/B.swift:9 → GET",
            ]
        )
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

    @Test func `is safe from any thread`() {
        let logger = Logger(level: .error, output: { [entries] line in entries.withLock { $0.append(line) } })
        DispatchQueue.concurrentPerform(iterations: 500) { index in
            if index.isMultiple(of: 5) { logger.currentLevel = .incomingData }
            logger.errorLog("\(index)")
        }
        let lines = entries.withLock { $0 }
        #expect(lines.count == 500)
        #expect(Set(lines.compactMap { $0.split(separator: " ").last }).count == 500)
    }
}
