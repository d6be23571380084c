import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// The idle clock, against servers that are silent, slow or steady. The waiting is the server's, not the test's.
@Suite(.timeLimit(.minutes(10)), .inTurn)
struct TimeoutTests {
    private static let answer = [Script.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")]
    /// A first answer on a connection: until then FoundationNetworking keeps a core busy.
    static let first = [.readRequest] + answer

    /// In a process of its own, since other tests hold up Dispatch's threads; the best of several attempts counts, since they
    /// share two cores all the same.
    @Test func `a timeout is kept to a tenth of a second`() async {
        await #expect(processExitsWith: .success) {
            for timeout in [0.3, 1.2] {
                let silent = Script(TimeoutTests.first + [.readRequest, .stall])
                let server = try LoopbackServer(scripts: Array(repeating: silent, count: 5))
                let teapot = Teapot(baseURL: server.baseURL)
                var best = Double.infinity
                for _ in 0..<5 where best > timeout + 0.1 {
                    try await teapot.get("first", timeoutInterval: 60)
                    let begin = ContinuousClock.now
                    let result = await result {
                        teapot.get("get", timeoutInterval: timeout, deliveryQueue: .global(), completion: $0)
                    }
                    let elapsed = (ContinuousClock.now - begin) / .seconds(1)
                    #expect(result.error?.type == .noResponse)
                    #expect((result.error?.underlyingError as? URLError)?.code == .timedOut)
                    #expect(elapsed >= timeout)
                    best = min(best, elapsed)
                }
                #expect(best < timeout + 0.1)
            }
        }
    }

    /// In a process of its own, as above: the pace is a third of the timeout.
    @Test func `progress winds the clock up again`() async {
        await #expect(processExitsWith: .success) {
            let pieces: [Script.Step] = (0..<5).flatMap { [.pause(0.5), .send("\($0)")] }
            let head = Script.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            let server = try LoopbackServer(scripts: [Script(TimeoutTests.first + [.readRequest, head] + pieces)])
            let teapot = Teapot(baseURL: server.baseURL)
            try await teapot.get("first", timeoutInterval: 60)
            let result = await result {
                teapot.get("get", timeoutInterval: 1.5, deliveryQueue: .global(), completion: $0)
            }
            #expect(result.isSuccess)
        }
    }

    /// In a process of its own, as above.
    @Test func `a server that says that it is at work makes progress`() async {
        await #expect(processExitsWith: .success) {
            let steps: [Script.Step] = (0..<5).flatMap { _ in [.pause(0.5), .send("HTTP/1.1 102 Processing\r\n\r\n")] }
            let server = try LoopbackServer(scripts: [
                Script(TimeoutTests.first + [.readRequest] + steps + TimeoutTests.answer)
            ])
            let teapot = Teapot(baseURL: server.baseURL)
            try await teapot.get("first", timeoutInterval: 60)
            let result = await result {
                teapot.get("get", timeoutInterval: 1.5, deliveryQueue: .global(), completion: $0)
            }
            #expect(result.isSuccess)
        }
    }

    /// In a process of its own, as above.
    @Test func `sending is progress, too`() async {
        await #expect(processExitsWith: .success) {
            let transport = ManualTransport { hop in
                for step in 1...5 {
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.5 * Double(step)) {
                        if step < 5 { hop.report(.sent(1_000)) } else { hop.answer(200) }
                    }
                }
            }
            let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
            let result = await result {
                teapot.post("x", timeoutInterval: 1.5, deliveryQueue: .global(), completion: $0)
            }
            #expect(result.isSuccess)
        }
    }

    /// In a process of its own, as above: the call has to be suspended before its time is over.
    @Test func `the clock stands still while suspended`() async {
        await #expect(processExitsWith: .success) {
            let transport = ManualTransport()
            let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
            let (completions, isCompleted) = (Completions(), Signal())
            let task = teapot.get("get", timeoutInterval: 0.5, deliveryQueue: .global()) { (result: NetworkResult) in
                completions.take(result)
                isCompleted.fire()
            }
            task?.suspend()
            // Another call times out after a longer time: by then this one would have, too.
            let other = await result {
                teapot.get("get", timeoutInterval: 1.5, deliveryQueue: .global(), completion: $0)
            }
            #expect((other.error?.underlyingError as? URLError)?.code == .timedOut)
            #expect(completions.count == 0)
            #expect(task?.state == .suspended)
            transport.hops.first?.answer(200)
            task?.resume()
            await isCompleted.wait()
            #expect(completions.all.map(\.isSuccess) == [true])
        }
    }

    @Test func `after resuming the clock runs again`() async throws {
        let server = try LoopbackServer(scripts: [Script([.readRequest, .stall])])
        let teapot = Teapot(baseURL: server.baseURL)
        let result = await result {
            let task = teapot.get("get", timeoutInterval: 0.3, deliveryQueue: .global(), completion: $0)
            task?.suspend()
            task?.resume()
            return task
        }
        #expect(result.error?.type == .noResponse)
    }

    @Test(arguments: [0, -1, .nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude, 1e9])
    func `a timeout that is no time does no harm`(timeout: Double) async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL)
        let result = await result {
            teapot.get("get", timeoutInterval: timeout, deliveryQueue: .global(), completion: $0)
        }
        // The shortest time there is may be over before the answer is here.
        let isTimedOut = (result.error?.underlyingError as? URLError)?.code == .timedOut
        #expect(result.isSuccess || timeout == .leastNonzeroMagnitude && isTimedOut)
    }

    @Test func `what is no time counts as the default`() {
        let intervals = [0, -1, .nan, -.infinity, .infinity, 1e300, 0.3]
        let timeouts = intervals.map { Teapot.Request(timeoutInterval: $0).timeout }
        #expect(timeouts == [15, 15, 15, 15, nil, nil, 0.3])
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e300])
    func `nor in a configuration`(timeout: Double) async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        let teapot = Teapot(baseURL: server.baseURL, configuration: configuration)
        let result = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(result.isSuccess)
    }
}
