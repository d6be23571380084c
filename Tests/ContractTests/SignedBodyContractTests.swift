import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// `RequestParameter.data` is what is sent: a signature of it is that of the body that arrives.
@Suite(.inTurn)
struct SignedBodyContractTests {
    /// Many keys, since the order of a dictionary differs from one run to the next.
    private static var object: [String: Any] {
        var object = Dictionary(uniqueKeysWithValues: (0..<40).map { ("key\($0)", $0 as Any) })
        object["path"] = "/a/b?c=\"d\"\\\n"
        object["ü 😀"] = ["inner": [true, NSNull(), 1.5, -0.1, Int.max, "\u{2028}"]] as [String: Any]
        return object
    }

    @Test(arguments: Backend.available)
    func `the bytes that were signed arrive`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let array = RequestParameter([Self.object, [:], ["a": [[String: Any]]()]])
        let sent = try [RequestParameter(Self.object), array].map { try #require($0.data) }
        let results = [
            await result { teapot.put("put", parameters: Self.object, completion: $0) },
            await result { teapot.post("post", parameters: array, completion: $0) },
        ]
        if let mock = teapot as? MockTeapot {
            #expect(mock.requests.map(\.body) == sent)
        } else {
            #expect(results.map { $0.text("data").map { Data($0.utf8) } } == sent)
        }
    }
}
