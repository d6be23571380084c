import Foundation
import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct SidesTests {
    private let sides = Sides(
        baseline: 1,
        teapot: 2,
        others: [Side(rawValue: "Get"): 5, .curl: 3, Side(rawValue: "Alamofire"): 4]
    )

    @Test func `sides are in order, peers last`() {
        #expect(sides.all.map(\.side.title) == ["baseline", "Teapot", "TeapotCurl", "Alamofire", "Get"])
        #expect(sides.all.map(\.value) == [1, 2, 3, 4, 5])
        #expect(sides.own.all.map(\.value) == [1, 2, 3])
        #expect(sides.map { $0.rawValue + "\($1)" }[.curl] == "curl3")
    }

    @Test func `sides are kept in JSON`() throws {
        let data = try JSONEncoder().encode(sides)
        let decoded = try JSONDecoder().decode(Sides<Int>.self, from: data)
        #expect(decoded.all.map(\.value) == [1, 2, 3, 4, 5])
        #expect(String(decoding: data, as: UTF8.self).contains(#""Get":5"#))
    }
}
