import Foundation
import TeapotMock
import TestSupport
import TestTraits
import Testing

@testable import Teapot

@Suite("MockTeapot with async verbs", .timeLimit(.minutes(10)), .inTurn)
struct MockTeapotAsyncTests {
    struct Pot: Decodable, Sendable, Equatable {
        var name = "teapot"
        var cups = 2
    }

    struct Refusal: Decodable, Sendable {
        let code: String
        let message: String
    }

    // MARK: - Verbs

    typealias Verb = @Sendable (Teapot) async throws -> Pot

    static let verbs: [(name: String, call: Verb)] = [
        ("get", { try await $0.get("pots/1").decode() }),
        ("get as", { try await $0.get("pots/1", as: Pot.self) }),
        ("post", { try await $0.post("pots", body: ["a": 1]).decode() }),
        ("post as", { try await $0.post("pots", body: ["a": 1], as: Pot.self) }),
        ("put as", { try await $0.put("pots/1", body: Teapot.Request.Body(Data("a".utf8)), as: Pot.self) }),
        ("patch as", { try await $0.patch("pots/1", as: Pot.self) }),
        ("delete as", { try await $0.delete("pots/1", as: Pot.self) }),
        ("send", { try await $0.send(Teapot.Request(.post, path: "pots")).decode() }),
    ]

    @Test(arguments: verbs.indices)
    func answersVerb(_ verb: Int) async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .created)
        #expect(try await Self.verbs[verb].call(mock) == Pot())
    }

    @Test(arguments: verbs.indices)
    func throwsForAStatus(_ verb: Int) async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-error", statusCode: .notFound)
        let error = try #require(await #expect(throws: TeapotError.self) { try await Self.verbs[verb].call(mock) })
        #expect(error.type == .invalidResponseStatus)
        #expect(error.responseStatus == 404)
        let refusal = try error.decode(Refusal.self)
        #expect(refusal.code == "short")
        #expect(refusal.message == "and stout")
    }

    @Test func answersHead() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .accepted)
        let response = try await mock.head("pots/1")
        #expect(response.status == 202)
        #expect(response.data.isEmpty)
        #expect(response.http.url?.absoluteString == "https://mock.base.url.com/pots/1")
    }

    @Test func decodesAnArrayOfNumbers() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-numbers")
        #expect(try await mock.get("numbers", as: [Int].self) == [1, 2, 3])
    }

    @Test func answersAnEndPointWithItsOwnFile() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .notFound)
        mock.overrideEndPoint("numbers", withFilename: "mock-numbers")
        let query = [URLQueryItem(name: "a", value: "/other")]
        #expect(try await mock.get("v1/numbers", as: [Int].self, query: query) == [1, 2, 3])
        let error = await thrown { () throws(TeapotError) in try await mock.get("v1/others") }
        #expect(error?.responseStatus == 404)
    }

    @Test func throwsForExpectedHeaders() async throws {
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
    func throwsForAFile(_ index: Int) async {
        let mock = MockTeapot(bundle: .module, mockFilename: Self.broken[index].filename)
        let error = await thrown { () throws(TeapotError) in try await mock.get("pots/1") }
        #expect(error?.type == Self.broken[index].type)
    }

    @Test func decodesByItsDecoder() async throws {
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

    @Test(arguments: verbs.indices)
    func isNotAskedByATaskThatWasCancelled(_ verb: Int) async {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let entries = Locked(0)
        mock.logger = Logger(level: .incomingAndOutgoingData) { _ in entries.withLock { $0 += 1 } }
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: TeapotError.self) { try await Self.verbs[verb].call(mock) }
        }.value
        #expect(error?.type == .cancelled)
        #expect(entries.withLock { $0 } == 0)
    }

    @Test func maySeeCancellationAtAnyMoment() async {
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

    @Test func answersTheBlockingCall() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        #expect(try mock.sendAndWait(Teapot.Request(path: "pots/1")).decode(Pot.self) == Pot())
        let bad = #expect(throws: TeapotError.self) { try mock.sendAndWait(Teapot.Request(path: "//")) }
        #expect(bad?.type == .invalidRequestPath)
        let missing = MockTeapot(bundle: .module, mockFilename: "mock-error", statusCode: .notFound)
        let error = try #require(
            #expect(throws: TeapotError.self) { try missing.sendAndWait(Teapot.Request(path: "pots/2")) }
        )
        #expect(try error.decode(Refusal.self).code == "short")
    }

    @Test @MainActor func answersTheBlockingCallOnTheMainActor() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        #expect(try mock.sendAndWait(Teapot.Request(path: "pots/1")).status == 200)
    }

    @Test func answersTheBlockingCallWithinACompletion() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let status = Locked(0)
        mock.get("pots/1") { (_: NetworkResult) in
            let inner = try? mock.sendAndWait(Teapot.Request(path: "pots/2"))
            status.withLock { $0 = inner?.status ?? 1 }
        }
        #expect(status.withLock { $0 } == 200)
    }

    // MARK: - Transfers

    @Test func downloadsTheFile() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        try await mock.download("pots/1", to: folder.file("pot"))
        #expect(try JSONDecoder().decode(Pot.self, from: Data(contentsOf: folder.file("pot"))) == Pot())
        #expect(folder.names == ["pot"])
        let missing = MockTeapot(bundle: .module, mockFilename: "mock-error", statusCode: .notFound)
        let error = await thrown { () throws(TeapotError) in
            try await missing.download("pots/1", to: folder.file("other"))
        }
        #expect(try error?.decode(Refusal.self).code == "short")
        #expect(folder.names == ["pot"])
    }

    @Test func takesAnUpload() async throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("tea", to: "tea")
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let last = Locked<TransferProgress?>(nil)
        let response = try await mock.upload("pots", fromFile: folder.file("tea")) { progress in
            last.withLock { $0 = progress }
        }
        #expect(try response.decode(Pot.self) == Pot())
        #expect(last.withLock { $0 } == TransferProgress(bytes: 3, expectedBytes: 3))
    }

    @Test func streamsTheFile() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        var text = ""
        for try await line in try await mock.bytes("pots/1").lines { text += line }
        #expect(try JSONDecoder().decode(Pot.self, from: Data(text.utf8)) == Pot())
    }
}
