import Teapot
import TestSupport
import TestTraits
import Testing

/// Requests that are refused before anything is sent, whatever would have answered.
@Suite(.inTurn)
struct RefusalContractTests {
    @Test(
        arguments: Backend.available,
        brief(["//evil.example/x", "https://evil.example/x", "a\nb", "a%zz", "../x", "%2e%2e/x"])
    )
    func `a bad path has no task and one completion on the delivery queue`(backend: Backend, path: Brief<String>)
        async throws
    {
        let path = path.value
        let teapot = try backend.teapot()
        let marked = MarkedQueue()
        let (result, isOnQueue) = await withCheckedContinuation { continuation in
            let task = teapot.get(path, deliveryQueue: marked.queue) { (result: NetworkResult) in
                continuation.resume(returning: (CallResult(result), marked.isCurrent))
            }
            #expect(task == nil)
        }
        #expect(result.error?.type == .invalidRequestPath)
        #expect(result.error?.failureReason != nil)
        #expect(result.response.status == 400)
        #expect(isOnQueue)
    }

    @Test(arguments: Backend.available)
    func `a header field that HTTP does not allow`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        for fields in [["X-A": "1\r\nX-B: 2"], ["X A": "1"], ["": "1"], ["Content-Length": "7"], ["X-A": "1\0"]] {
            let result = await result { teapot.get("get", headerFields: fields, completion: $0) }
            #expect(result.error?.type == .invalidHeaderField)
        }
    }

    @Test(arguments: Backend.available)
    func `a payload that JSON cannot hold`(backend: Backend) async throws {
        final class Thing {}
        let teapot = try backend.teapot()
        for value in [Date(), Double.nan, Double.infinity, Thing(), ["deep": [Thing()]]] as [Any] {
            let result = await result { teapot.post("post", parameters: ["value": value], completion: $0) }
            #expect(result.error?.type == .invalidPayload)
            #expect(result.error?.failureReason?.contains("$.value") == true)
        }
    }

    @Test(arguments: Backend.available, [HTTPMethod.get, .head])
    func `a GET or HEAD with a body`(backend: Backend, method: HTTPMethod) async throws {
        let teapot = try backend.teapot()
        let request = Teapot.Request(method, path: "get", body: Teapot.Request.Body(Data("{}".utf8)))
        let outcome = await outcome(of: request, from: teapot)
        #expect(throws: TeapotError.self) { try outcome.get() }
        guard case .failure(let error) = outcome else { return }
        #expect(error.type == .invalidPayload)
    }
}
