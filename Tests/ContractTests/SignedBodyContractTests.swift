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

    private static func parameter(_ kind: String) -> RequestParameter {
        switch kind {
        case "object": RequestParameter(object)
        case "array": RequestParameter([object, [:], ["a": [[String: Any]]()]])
        default: RequestParameter(Data(#"{ "b": 1,  "a": "\/" }"#.utf8))
        }
    }

    @Test(arguments: Backend.available, ["object", "array", "data"])
    func `the bytes that were signed arrive`(backend: Backend, kind: String) async throws {
        let teapot = try backend.teapot()
        let signed = try #require(Self.parameter(kind).data)
        let results = [
            await result { teapot.post("post", parameters: Self.parameter(kind), completion: $0) },
            await result { completion in
                guard kind == "object" else {
                    return teapot.put("put", parameters: Self.parameter(kind), completion: completion)
                }
                return teapot.put("put", parameters: Self.object, completion: completion)
            },
        ]
        let request = Teapot.Request(.post, path: "post", body: try Teapot.Request.Body(Self.parameter(kind)))
        let answer = try await teapot.send(request)
        if let mock = teapot as? MockTeapot {
            #expect(mock.requests.map(\.body) == [signed, signed, signed])
        } else {
            let bodies = results.map { $0.text("data") } + [answer.json?.dictionary?["data"] as? String]
            #expect(bodies.map { $0.map { Data($0.utf8) } } == [signed, signed, signed])
        }
    }
}
