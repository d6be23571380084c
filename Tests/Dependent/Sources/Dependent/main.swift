import Teapot
import TeapotCache
import TeapotMock

// `await` at the top level keeps the main queue going, on which completions are called by default.

guard let baseURL = URL(string: "https://api.example.com/v1") else { exit(1) }

let offline = Teapot(baseURL: baseURL, transport: CannedTransport(answer: .failure(URLError(.notConnectedToInternet))))
let online = Teapot(baseURL: baseURL, transport: CannedTransport(answer: .success(Data(#"{"name": "Ada"}"#.utf8))))
let client = APIClient(teapot: offline)

if CommandLine.arguments.contains("--print-error") {
    print(await withCheckedContinuation { continuation in client.user { continuation.resume(returning: $0) } })
    exit(0)
}

client.teapot = online

let user = await withCheckedContinuation { continuation in
    client.user { continuation.resume(returning: $0) }
}
print("get: \(user)")

let params: [String: Any] = ["name": "Ada", "tags": ["first", "programmer"]]
let created = await withCheckedContinuation { continuation in
    client.create(params) { continuation.resume(returning: $0) }
}
print("post: \(created)")

let status = await withCheckedContinuation { continuation in
    online.get("/get", deliveryQueue: .main) { (result: NetworkResult) in
        guard case .success(_, let response) = result else { return continuation.resume(returning: 0) }
        continuation.resume(returning: response.status)
    }
}
print("get: \(status)")

// A cache in front of a transport of one's own, whose responses may not be stored.
let cached = Teapot(
    baseURL: baseURL,
    transport: CachingTransport(wrapping: CannedTransport(answer: .success(Data("{}".utf8))))
)
do {
    print("cache: \(try await cached.get("get").isFromCache)")
} catch {
    print("cache: \(error)")
}

do {
    print("mock: \(try await MockTeapot(bundle: .main).get("get").status)")
} catch {
    print("mock: \(error)")
}

// Of a call without a type in its closure, the compiler takes the JSON one.
online.get("/get", deliveryQueue: .main) { _ in }

let task = online.get("/path/here") { _ in print("a cancelled call was delivered") }
task?.suspend()
task?.resume()
task?.cancel()
print("task: \(task == nil ? "none" : "cancelled")")
