import Teapot
import TestSupport
import TestTraits
import Testing

/// Endpoints in every shape of a call.
@Suite(.inTurn)
struct EndpointSendTests {
    private static let camel = #"{"teaName":"Earl"}"#
    private static let snake = #"{"tea_name":"Earl"}"#

    private func teapot(_ transport: any Transport) throws -> Teapot {
        Teapot(
            baseURL: try #require(URL(string: "http://127.0.0.1:1/v1")),
            defaultDeliveryQueue: DispatchQueue(label: "default"),
            transport: transport,
            clock: StoppedClock()
        )
    }

    private func teapot(
        answering body: String,
        _ status: Int = 200,
        headers: [String: String] = [:]
    ) throws -> Teapot {
        try teapot(ManualTransport { $0.answer(status, headers: headers, body: body) })
    }

    // MARK: - Successes

    @Test(arguments: EndpointShape.allCases)
    func `sends what is set, and gives the value`(shape: EndpointShape) async throws {
        let transport = ManualTransport { $0.answer(200, body: Self.snake) }
        let tea = try await shape.send(PutTea(), by: teapot(transport)).get()
        #expect(tea == Tea())
        let request = try #require(transport.hops.first?.request)
        #expect(request.url?.absoluteString == "http://127.0.0.1:1/v1/teas?a=b%26c")
        #expect(request.httpMethod == "PUT")
        #expect(request.value(forHTTPHeaderField: "X-Kind") == "green")
        #expect(request.timeoutInterval == 3)
        #expect(request.httpBody == Data(Self.snake.utf8))
    }

    @Test(arguments: EndpointShape.allCases)
    func `a request is made of segments, or not at all`(shape: EndpointShape) async throws {
        let transport = ManualTransport { $0.answer(200, body: Self.camel) }
        let teapot = try teapot(transport)
        #expect(try await shape.send(TeaAPI.named("Earl/Grey?"), by: teapot).get() == Tea())
        #expect(transport.hops.map { $0.request.url?.absoluteString } == ["http://127.0.0.1:1/v1/teas/Earl%2FGrey%3F"])
        #expect(await shape.send(TeaAPI.named(".."), by: teapot).error?.type == .invalidRequestPath)
        #expect(transport.hops.count == 1)
    }

    // MARK: - Failures

    @Test(arguments: EndpointShape.allCases)
    func `an error of parsing is thrown`(shape: EndpointShape) async throws {
        let error = try #require(
            await shape.send(CountTeas(), by: teapot(answering: "", headers: ["X-Count": "none"])).error
        )
        #expect(error.type == .decodingFailed)
        #expect(error.underlyingError is CountTeas.NoCount)
        #expect(error.response?.status == 200)
        #expect(error.data == Data())
        let own = try #require(
            await shape.send(CountTeas(), by: teapot(answering: "", headers: ["X-Count": "secret"])).error
        )
        #expect(own.description == "of its own")
        #expect(own.response?.status == 200)
        #expect(own.data == Data())
    }

    @Test(arguments: EndpointShape.allCases)
    func `a request that cannot be sent is logged as an error`(shape: EndpointShape) async throws {
        let lines = Locked<[String]>([])
        let transport = ManualTransport()
        let teapot = try teapot(transport)
        teapot.logger = Logger(level: .error) { line in lines.withLock { $0.append(line) } }
        let unencodable = PostAny(value: Double.infinity)
        let errors = [
            await shape.send(Unsendable(), by: teapot).error, await shape.send(unencodable, by: teapot).error,
            await shape.send(Plain(request: "../.."), by: teapot).error,
        ]
        #expect(errors.map { $0?.type } == [.invalidPayload, .invalidPayload, .invalidRequestPath])
        #expect(errors.first??.description == "not today")
        #expect(lines.withLock { $0.count } == 3)
        #expect(transport.hops.isEmpty)
    }

    // MARK: - Delivery and cancelling

    @Test(arguments: [nil, MarkedQueue("own")])
    func `a completion is called on its queue, and the value is made elsewhere`(queue: MarkedQueue?) async throws {
        struct Watched: Endpoint {
            let queue: MarkedQueue
            let request: Teapot.Request = "a"
            func parse(_ response: Teapot.Response) throws -> Bool { queue.isCurrent }
        }
        let expected = queue ?? MarkedQueue("default")
        let teapot = Teapot(
            baseURL: try #require(URL(string: "http://127.0.0.1:1")),
            defaultDeliveryQueue: queue == nil ? expected.queue : DispatchQueue(label: "default"),
            transport: ManualTransport { $0.answer(200, body: Self.camel) },
            clock: StoppedClock()
        )
        let (isMadeThere, isDelivered) = await withCheckedContinuation { continuation in
            teapot.send(Watched(queue: expected), deliveryQueue: queue?.queue) { result in
                continuation.resume(returning: (try? result.get(), expected.isCurrent))
            }
        }
        #expect(isMadeThere == false)
        #expect(isDelivered)
    }
}
