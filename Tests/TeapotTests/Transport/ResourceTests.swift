import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// The resources that calls leave behind. Each test has a process of its own, because other tests would count, too.
@Suite(.firstInTurn, .exitTests)
struct ResourceTests {
    /// Lets calls go by until there are so few descriptors, as sessions and connections end in the background. Bounded, and in
    /// the end it counts.
    private static func settled(
        to descriptors: Int,
        within rounds: Int = 200,
        _ teapot: Teapot
    ) async throws -> ProcessResources {
        for _ in 0..<rounds {
            let now = try #require(ProcessResources.current)
            if now.descriptors <= descriptors { return now }
            try await teapot.put("delay/0.01")
        }
        return try #require(ProcessResources.current)
    }

    @Test func `hundreds of 401s leave no descriptor behind`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            let teapot = Teapot(baseURL: server.baseURL)
            func call() async {
                let error = await thrown { () throws(TeapotError) in try await teapot.get("status/401") }
                #expect(error?.responseStatus == 401)
            }
            for _ in 0..<50 { await call() }
            let before = try #require(ProcessResources.current)
            for _ in 0..<400 { await call() }
            let after = try #require(ProcessResources.current)
            #expect(after.descriptors <= before.descriptors)
        }
    }

    @Test func `uploads leave no descriptor behind, however they end`() async {
        await #expect(processExitsWith: .success) {
            // Every third connection is closed before anything is read.
            let number = Locked(0)
            let server = try LoopbackServer(recordsRequests: false) { _ in
                number.withLock { number in
                    number += 1
                    return number % 3 == 0 ? Script([.reset]) : nil
                }
            }
            let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
            let folder = try TemporaryFolder()
            let file = folder.file("body")
            try Data(count: 1_000_000).write(to: file)
            func upload(_ number: Int) async {
                let task = Task {
                    _ = try? await teapot.upload(
                        Teapot.Request(number % 2 == 0 ? .put : .post, path: "digest", body: .file(file))
                    )
                }
                if number % 5 == 0 {
                    for _ in 0..<number { await Task.yield() }
                    task.cancel()
                }
                await task.value
            }
            for number in 0..<20 { await upload(number) }
            let before = try #require(ProcessResources.current)
            for number in 0..<60 { await upload(number) }
            let after = try await ResourceTests.settled(to: before.descriptors, teapot)
            // The connections of either side, which come and go.
            #expect(after.descriptors <= before.descriptors + 8)
        }
    }

    @Test func `hundreds of Teapots leave nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            func makeUseAndDrop() async throws { try await Teapot(baseURL: server.baseURL).get("get") }
            for _ in 0..<50 { try await makeUseAndDrop() }
            // No process has so few: this takes all rounds.
            let before = try await ResourceTests.settled(to: 0, within: 50, Teapot(baseURL: server.baseURL))
            for _ in 0..<250 { try await makeUseAndDrop() }
            let after = try await ResourceTests.settled(to: before.descriptors, Teapot(baseURL: server.baseURL))
            #expect(after.descriptors <= before.descriptors, "\(before), then \(after)")
            // Dispatch has up to 64 workers, and allocators have some slack; sessions that leak are some 50 KB each, 12 MB in all.
            #expect(after.threads <= before.threads + 64, "\(before), then \(after)")
            #expect(after.memory <= before.memory + 8_000, "\(before), then \(after)")
        }
    }

    /// FoundationNetworking is not answered any more once a call was cancelled: its tasks must end all the same, or the
    /// session would stay, with its descriptors.
    @Test func `redirects that are cancelled leave nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            var generator = SeededGenerator(seed: 11)
            func round() async throws {
                let teapot = Teapot(baseURL: server.baseURL)
                for _ in 0..<10 {
                    let task = teapot.get("redirect/10", deliveryQueue: .global()) { (_: NetworkResult) in }
                    // Other calls, so that the redirects get on.
                    for _ in 0..<Int.random(in: 0...4, using: &generator) { try await teapot.get("get") }
                    task?.cancel()
                }
            }
            for _ in 0..<10 { try await round() }
            let before = try #require(ProcessResources.current)
            for _ in 0..<30 { try await round() }
            let after = try await ResourceTests.settled(to: before.descriptors, Teapot(baseURL: server.baseURL))
            #expect(after.descriptors <= before.descriptors + 8)
            #expect(after.memory <= before.memory + 4_000)
        }
    }

    @Test func `nothing is written to disk`() async {
        await #expect(processExitsWith: .success) {
            let home = FileManager.default.temporaryDirectory.appending(path: "teapot-home-\(UUID())")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: home) }
            for name in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] { setenv(name, home.path, 1) }
            let server = try LoopbackServer()
            let teapot = Teapot(baseURL: server.baseURL)
            let result = await result {
                teapot.get("cookies/set/tea/green", deliveryQueue: .global(), completion: $0)
            }
            #expect(result.text("cookies", "tea") == "green")
            // FoundationNetworking makes empty directories for its cache and cookies with any configuration.
            let files = try FileManager.default.subpathsOfDirectory(atPath: home.path).filter { path in
                let attributes = try FileManager.default.attributesOfItem(atPath: home.appending(path: path).path)
                return attributes[.type] as? FileAttributeType != .typeDirectory
            }
            #expect(files.isEmpty)
        }
    }

    @Test func `LANG gives German`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("LC_ALL")
            unsetenv("LC_MESSAGES")
            setenv("LANG", "de_DE.UTF-8", 1)
            let teapot = Teapot(baseURL: URL(filePath: "/"))
            let result = await result { teapot.get("x", deliveryQueue: .global(), completion: $0) }
            #expect(result.error?.description == "Ein Fehler ist aufgetreten: Der URL-Pfad der Anfrage ist ungültig.")
        }
    }
}
