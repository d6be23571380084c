import Teapot
import TestSupport
import TestTraits
import Testing

/// The values that the closure verbs take as `parameters`, as they are written.
@Suite(.inTurn)
struct RequestParameterConvertibleTests {
    /// The bodies that were sent; `nil` where there was none.
    private let bodies = Locked<[String?]>([])
    private let teapot: Teapot

    init() throws {
        let bodies = bodies
        let transport = ManualTransport { hop in
            bodies.withLock { $0.append(hop.request.httpBody.map { String(decoding: $0, as: UTF8.self) }) }
            hop.answer(200, body: "{}")
        }
        teapot = Teapot(baseURL: try #require(URL(string: "http://127.0.0.1:1")), transport: transport)
    }

    private func sent(_ call: (@escaping @Sendable (NetworkResult) -> Void) -> URLSessionTask?) async -> String? {
        _ = await result(of: call)
        return bodies.withLock { $0.last ?? "nothing was sent" }
    }

    @Test func `a dictionary`() async {
        let any: [String: Any] = ["a": 1, "b": "x"]
        let texts = ["a": "b"]
        let none: [String: Any]? = nil
        #expect(await sent { teapot.post("a", parameters: any, completion: $0) } == #"{"a":1,"b":"x"}"#)
        #expect(await sent { teapot.put("a", parameters: Optional(any), completion: $0) } == #"{"a":1,"b":"x"}"#)
        #expect(await sent { teapot.patch("a", parameters: texts, completion: $0) } == #"{"a":"b"}"#)
        #expect(await sent { teapot.delete("a", parameters: none, completion: $0) } == nil)
    }

    @Test func `an array of dictionaries`() async {
        let any: [[String: Any]] = [["a": 1], ["b": "x"]]
        let texts = [["a": "b"], [:]]
        #expect(await sent { teapot.post("a", parameters: any, completion: $0) } == #"[{"a":1},{"b":"x"}]"#)
        #expect(await sent { teapot.put("a", parameters: texts, completion: $0) } == #"[{"a":"b"},{}]"#)
    }

    @Test func `the JSON of a result`() async {
        let (json, none): (JSON?, JSON?) = (JSON([["a": 1]]), nil)
        #expect(await sent { teapot.post("a", parameters: json, completion: $0) } == #"[{"a":1}]"#)
        #expect(await sent { teapot.patch("a", parameters: none, completion: $0) } == nil)
        #expect(await sent { teapot.delete("a", parameters: RequestParameter(json), completion: $0) } == #"[{"a":1}]"#)
    }

    /// A literal is no dictionary of its values' common type, which would write the large number as a floating-point one.
    @Test func `a literal`() async {
        let number = #"{"a":9007199254740993,"b":0.5}"#
        // Not within the macro, which makes it a dictionary of `Double` on its own.
        let body = await sent { teapot.post("a", parameters: ["a": 9_007_199_254_740_993, "b": 0.5], completion: $0) }
        #expect(body == number)
        #expect(await sent { teapot.put("a", parameters: ["a": 1, "b": "x"], completion: $0) } == #"{"a":1,"b":"x"}"#)
        #expect(
            await sent { teapot.put("a", parameters: [["a": 1], ["b": "x"]], completion: $0) }
                == #"[{"a":1},{"b":"x"}]"#
        )
        #expect(await sent { teapot.patch("a", parameters: [:], completion: $0) } == "{}")
        #expect(RequestParameter(dictionaryLiteral: ("a", 1), ("a", 2)).data == Data(#"{"a":2}"#.utf8))
        #expect(await sent { teapot.delete("a", parameters: nil, completion: $0) } == nil)
        #expect(await sent { teapot.delete("a", parameters: .dictionary(["a": 1]), completion: $0) } == #"{"a":1}"#)
    }

    @Test func `an array of anything else is refused`() async throws {
        let nested: [[[String: Any]]] = [[["a": 1]]]
        let error = try #require(await result { teapot.post("a", parameters: nested, completion: $0) }.error)
        #expect(error.type == .invalidPayload)
        #expect(error.failureReason == "$[0]: only an array of JSON objects can be sent")
        let json = [JSON(["a": 1]), JSON([["a": 1]])]
        let second = await result { teapot.post("a", parameters: json, completion: $0) }.error
        #expect(second?.failureReason == "$[1]: only an array of JSON objects can be sent")
        #expect(bodies.withLock { $0 }.isEmpty)
    }
}
