import Foundation
import TestSupport
import TestTraits
import Testing

@testable internal import Teapot

/// Values are written as Foundation writes them. Keys are in the order of their Unicode scalars, which is not quite
/// Foundation's.
@Suite(.inTurn)
struct JSONWriterTests {
    private static func text(of value: Any) -> String? {
        (try? JSONWriter.data(of: value)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func foundationText(of value: Any) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: [value], options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    }

    /// Types that bridge to each other, and texts and numbers that are written in their own way.
    nonisolated(unsafe) static let values: [Any] = [
        "", "plain", "ü 語 👩‍👩‍👧 e\u{301}", "\"", "\\", "a/b",
        String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init))), "\u{7f}\u{2028}\u{feff}",
        0, -1, Int.max, Int.min, Int8(-5), UInt64.max, UInt8(1),
        0.0, -0.0, 1.0, -2.5, 1e16, 1e21, 1e-7, Double.leastNonzeroMagnitude, Double.pi, Double.greatestFiniteMagnitude,
        Float(0.5),
        true, false, NSNumber(value: 1), NSNumber(value: 0), NSNumber(value: true), NSNumber(value: 1.5),
        Decimal(string: "1234567890.0987654321") as Any, NSNull(), Int?.none as Any, Optional("some") as Any,
        Optional(1) as Any, NSString(string: "text"), AnyHashable("hashable"), AnyHashable(1),
        [] as [Any], [String: Any](), [1, 2, 3], ["a", "b"], [[[true]]], [1, "a", NSNull(), 0.5, ["b": 1]] as [Any],
        ["b": 1, "a": ["d": 2, "c": 3]] as [String: Any], ["k\"y": "v"], NSArray(array: [1, "a"]),
        NSDictionary(dictionary: ["k": 1]), Optional(["k": 1]) as Any, ["k": Int?.none],
    ]

    /// A long text is escaped in blocks of 4,096 bytes.
    @Test(arguments: [4_094, 4_095, 4_096, 4_097, 8_191, 8_192])
    func `writes a long text as Foundation does`(length: Int) throws {
        for character in ["\"", "\u{1}", "é", "a"] {
            let text = String(repeating: "a", count: length) + character + String(repeating: "\n", count: 4_096) + "z"
            #expect(try Self.text(of: [text]) == "[\(Self.foundationText(of: text))]")
        }
    }

    @Test(arguments: brief(values.indices) { "\(type(of: values[$0])) \(values[$0])" })
    func `writes what Foundation writes`(row: Brief<Int>) throws {
        let value = Self.values[row.value]
        #expect(try Self.text(of: value) == Self.foundationText(of: value))
    }

    @Test func `writes numbers that are read as the same`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let number = Double(bitPattern: generator.next())
            guard number.isFinite else { continue }
            let text = try #require(Self.text(of: number))
            #expect(Double(text) == number)
            #expect(try Self.foundationText(of: number) == text)
        }
    }

    @Test func `puts values on lines of their own`() throws {
        let value: [String: Any] = ["b": [1, [:] as [String: Any]] as [Any], "a": ["c": [] as [Any]]]
        let text = """
            {
              "a" : {
                "c" : []
              },
              "b" : [
                1,
                {}
              ]
            }
            """
        #expect(try String(decoding: JSONWriter.data(of: value, isIndented: true), as: UTF8.self) == text)
    }

    @Test func `puts keys in order`() {
        let dictionary = Dictionary(uniqueKeysWithValues: "zyBabc".map { ("\($0)", 1) })
        #expect(Self.text(of: dictionary) == #"{"B":1,"a":1,"b":1,"c":1,"y":1,"z":1}"#)
        #expect(Self.text(of: ["k9": 1, "k10": 1]) == #"{"k10":1,"k9":1}"#)
    }

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
        Offender("$.a is a Float, which JSON cannot hold", ["a": Float.nan]),
        Offender("$.a is a Note, which JSON cannot hold", ["a": Note()]),
        Offender("$.a is a Data, which JSON cannot hold", ["a": Data("hush".utf8)]),
        Offender("$.a is a Set<String>, which JSON cannot hold", ["a": Set(["hush"])]),
        Offender("$.a is a Dictionary<Int, String>, which JSON cannot hold", ["a": [1: "hush"]]),
        Offender("$.a is a Substring, which JSON cannot hold", ["a": "hush".dropFirst(0)]),
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
            return Result { () throws(TeapotError) in try JSONWriter.data(of: ["a": value]) }.error?.type
        }
        #expect(type == (isHeld ? nil : .invalidPayload))
    }
}
