import Foundation
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct HTTPDateTests {
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(arguments: [
        "Tue, 14 Nov 2023 22:13:20 GMT", "Tuesday, 14-Nov-23 22:13:20 GMT", "Tue Nov 14 22:13:20 2023",
        "TUE, 14 nov 2023 22:13:20 gMT",
    ])
    func `the three forms of HTTP are dates`(_ text: String) {
        #expect(HTTPDate.parse(text) == Self.time)
    }

    @Test(
        arguments: [
            ("Tue, 14 Nov 2023 22:13:20 +1000", true), ("Tue, 14 Nov 2023 22:13:20 UTC", true),
            ("Tue, 14 Nov 2023 22:13:20", true), ("Tue, 14 Nov 23 22:13:20 GMT", true),
            ("Tue 14 Nov 2023 22:13:20 GMT", true), ("Tue, 14-Nov-2023 22:13:20 GMT", true),
            ("Tue, 14  Nov  2023 22:13:20 GMT", true), ("Tue, 14 Nov 2023 22:13:20 GMT x", true),
            ("Tuesday, 14 Nov 2023 22:13:20 GMT", true), ("Abc, 14 Nov 2023 22:13:20 GMT", true),
            ("14 Nov 2023 22:13:20 GMT", true), ("Tue, 14 Nov 2023 22.13.20 GMT", false),
            ("Tue Nov 14 22:13:20 2023 GMT", true), ("0", false), ("", false),
        ] as [(String, Bool)]
    )
    func `most other forms are dates of cookies`(_ text: String, isCookieDate: Bool) {
        #expect(HTTPDate.parse(text) == (isCookieDate ? Self.time : nil))
    }

    @Test(arguments: [
        "Tue, 30 Feb 2024 22:13:20 GMT", "Tue, 14 Abc 2023 22:13:20 GMT", "Tue, 14 Nov 2023 24:13:20 GMT",
    ])
    func `a time that does not exist is no date`(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
