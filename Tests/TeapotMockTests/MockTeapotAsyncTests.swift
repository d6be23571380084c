import Foundation
import TeapotMock
import TestSupport
import TestTraits
import Testing

@testable import Teapot

@Suite(.inTurn)
struct MockTeapotAsyncTests {
    struct Pot: Decodable, Sendable, Equatable {
        var name = "teapot"
        var cups = 2
    }

    @Test func `answers an endpoint with its own file`() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .notFound)
        mock.overrideEndPoint("numbers", withFilename: "mock-numbers")
        let query: QueryItems = ["a": "/other"]
        #expect(try await mock.get("v1/numbers", as: [Int].self, query: query) == [1, 2, 3])
        let error = await thrown { () throws(TeapotError) in try await mock.get("v1/others") }
        #expect(error?.responseStatus == 404)
    }

    @Test func `throws for expected headers`() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        mock.setExpectedHeaders(["Authorization": "Bearer hunter2", "X-Client": "tea"])
        let error = try #require(
            await thrown { () throws(TeapotError) in
                try await mock.post("pots", body: ["a"], headerFields: ["authorization": "Bearer wrong"])
            }
        )
        #expect(error.type == .incorrectHeaders)
        #expect(error.responseStatus == 400)
        #expect(error.failureReason == "Authorization has another value; X-Client is missing")
        #expect("\(error)".contains("hunter2") == false)
        let fields = ["authorization": "Bearer hunter2", "x-client": "tea"]
        #expect(try await mock.get("pots/1", as: Pot.self, headerFields: fields) == Pot())
    }

    static let broken: [(filename: String, type: TeapotError.ErrorType)] = [
        ("mock-missing", .missingMockFile), ("mock-broken", .invalidMockFile), ("mock-fragment", .invalidMockFile),
    ]

    @Test(arguments: broken.indices)
    func `throws for a file`(_ index: Int) async {
        let mock = MockTeapot(bundle: .module, mockFilename: Self.broken[index].filename)
        let error = await thrown { () throws(TeapotError) in try await mock.get("pots/1") }
        #expect(error?.type == Self.broken[index].type)
    }

    @Test func `decodes by its decoder`() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { _ in SomeKey(stringValue: "value") }
        mock.decoder = decoder
        let error = await thrown { () throws(TeapotError) in try await mock.get("pots/1", as: Pot.self) }
        #expect(error?.type == .decodingFailed)
        #expect(error?.failureReason == "$: the key name is missing")
        #expect(try await mock.get("pots/1", as: Pot.self, decoder: JSONDecoder()) == Pot())
    }

    private struct SomeKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    // MARK: - Cancelling

    @Test func `may see cancellation at any moment`() async {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let hand = DispatchQueue(label: "hand", attributes: .concurrent)
        let errors = await withTaskGroup(of: TeapotError?.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let call = Task { await thrown { () throws(TeapotError) in try await mock.get("pots/1") } }
                    hand.asyncAfter(deadline: .now() + .microseconds(number)) { call.cancel() }
                    return await call.value
                }
            }
            return await group.reduce(into: [TeapotError?]()) { $0.append($1) }
        }
        #expect(errors.count == 500)
        for error in errors.compactMap(\.self) { #expect(error.type == .cancelled) }
    }

    // MARK: - The blocking call

    @Test func `answers the blocking call within a completion`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let status = Locked(0)
        mock.get("pots/1") { (_: NetworkResult) in
            let inner = try? mock.sendAndWait(Teapot.Request(path: "pots/2"))
            status.withLock { $0 = inner?.status ?? 1 }
        }
        #expect(status.withLock { $0 } == 200)
    }
}
