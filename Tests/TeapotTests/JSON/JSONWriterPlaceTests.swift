import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct JSONWriterPlaceTests {
    private final class Note: CustomStringConvertible {
        let description = "hush"
    }

    struct Offender: @unchecked Sendable, CustomTestStringConvertible {
        let testDescription: String
        let payload: [String: Any]

        init(_ reason: String, _ payload: [String: Any]) {
            testDescription = reason
            self.payload = payload
        }
    }

    static let offenders = [
        Offender("$.a is a Date, which JSON cannot hold", ["a": Date()]),
        Offender("$.a is nan, which JSON cannot hold", ["a": Double.nan]),
        Offender("$.a is inf, which JSON cannot hold", ["a": Double.infinity]),
        Offender("$.a is -inf, which JSON cannot hold", ["a": -Double.infinity]),
        Offender("$.a is a Float, which JSON cannot hold", ["a": Float.nan]),
        Offender("$.a is a Note, which JSON cannot hold", ["a": Note()]),
        Offender("$.a is a URL, which JSON cannot hold", ["a": URL(fileURLWithPath: "/hush")]),
        Offender("$.a is a Data, which JSON cannot hold", ["a": Data("hush".utf8)]),
        Offender("$.a is a UUID, which JSON cannot hold", ["a": UUID()]),
        Offender("$.a is a Set<String>, which JSON cannot hold", ["a": Set(["hush"])]),
        Offender("$.a is a Dictionary<Int, String>, which JSON cannot hold", ["a": [1: "hush"]]),
        Offender("$.a is a Substring, which JSON cannot hold", ["a": "hush".dropFirst(0)]),
        Offender("$.a is a (Int, String), which JSON cannot hold", ["a": (1, "hush")]),
        Offender("$.a is a Decimal, which JSON cannot hold", ["a": Decimal.nan]),
        Offender(
            "$.z.list[1].at is a Date, which JSON cannot hold",
            [
                "a": 1, "z": ["list": [0, ["at": Date(), "by": "hush"]] as [Any]],
            ]
        ),
        Offender("$.a[2][0] is nan, which JSON cannot hold", ["a": [[], [1.0], [Double.nan]]]),
        Offender("$.a is a Date, which JSON cannot hold", ["c": Date(), "b": Date(), "a": Date()]),
    ]

    @Test(arguments: offenders)
    func `refuses what JSON cannot hold`(offender: Offender) {
        let error = #expect(throws: TeapotError.self) { try JSONWriter.data(of: offender.payload) }
        #expect(error?.type == .invalidPayload)
        #expect(error?.failureReason == offender.testDescription)
        #expect(error?.description.contains("hush") == false)
    }

    @Test func `names a key that is empty`() {
        let error = #expect(throws: TeapotError.self) { try JSONWriter.data(of: ["a": ["": Date()]]) }
        #expect(error?.failureReason == #"$.a[""] is a Date, which JSON cannot hold"#)
    }

    @Test func `a parameter is written, and data is not`() throws {
        #expect(try RequestParameter([:]).encoded() == Data("{}".utf8))
        #expect(try RequestParameter([]).encoded() == Data("[]".utf8))
        #expect(try RequestParameter(Data([1, 2])).encoded() == Data([1, 2]))
    }

    @Test(arguments: [(1, true), (128, true), (129, false), (500, false)])
    func `has a depth that fits a small stack`(arrays: Int, isHeld: Bool) async {
        let type = await onSmallStack {
            let value = (1..<arrays).reduce([] as [Any]) { value, _ in [value] }
            let result = Result { () throws(TeapotError) in try JSONWriter.data(of: ["a": value]) }
            guard case .failure(let error) = result else { return nil as TeapotError.ErrorType? }
            return error.type
        }
        #expect(type == (isHeld ? nil : .invalidPayload))
    }
}
