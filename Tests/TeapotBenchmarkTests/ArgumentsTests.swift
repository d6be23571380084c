import Foundation
import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct ArgumentsTests {
    @Test func `cases are measured in the order given`() throws {
        let line =
            "--case post --rounds 2 --case get-100 --requests 7 --json a.json --against http://127.0.0.1:8080/files"
        let arguments = try Arguments(line.split(separator: " ").map(String.init))
        #expect(arguments.cases.map(\.name) == ["post", "get-100"])
        #expect(arguments.rounds == 2)
        #expect(arguments.requests == 7)
        #expect(arguments.jsonPath == "a.json")
        #expect(arguments.server?.absoluteString == "http://127.0.0.1:8080/files")
    }

    @Test func `help can be asked for`() throws {
        guard case .help = try Arguments(["--help"]).mode else {
            Issue.record("--help is no mode")
            return
        }
    }

    @Test(
        arguments: [
            ("--case", "--case needs a value"),
            ("--case put", "unknown case: put (--list shows all cases)"),
            ("--case get-0", "unknown case: get-0 (--list shows all cases)"),
            ("--rounds 0", "--rounds needs a number from 1 to 1000000000, not 0"),
            ("--rounds many", "--rounds needs a number from 1 to 1000000000, not many"),
            ("--against ftp://127.0.0.1", "ftp://127.0.0.1 is not the URL of an HTTP server"),
            ("--fast", "unknown or misplaced option: --fast"),
            ("--list --rounds 2", "unknown or misplaced option: --rounds"),
            ("--growth --rounds 2", "unknown or misplaced option: --rounds"),
            ("--instructions --rounds 2", "unknown or misplaced option: --rounds"),
            ("--list --compare peers", "unknown or misplaced option: --compare"),
            ("--child mocked-get curl http://127.0.0.1:1 1", "TeapotCurl does not support mocked-get"),
            ("--child get both http://127.0.0.1:1 1", "--child needs a side"),
        ]
    ) func `invalid arguments are named`(line: String, problem: String) {
        let error = #expect(throws: Arguments.Problem.self) {
            try Arguments(line.split(separator: " ").map(String.init))
        }
        #expect(error?.description == problem)
    }
}
