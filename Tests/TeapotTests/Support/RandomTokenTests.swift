import Foundation
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn, .exitTests)
struct RandomTokenTests {
    /// Foundation's `UUID()` is the same each time then.
    @Test func `boundaries and names of files differ when no descriptor is free`() async {
        await #expect(processExitsWith: .success) {
            let target = FileManager.default.temporaryDirectory.appending(path: "target")
            var limit = rlimit()
            #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            limit.rlim_cur = 0
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let boundaries = Set((0..<10).map { _ in MultipartFormData().boundary })
            #expect(boundaries.count == 10)
            // The files cannot be made, and the errors have their names.
            #expect(RandomTokenTests.names { _ = try PartialFile(beside: target) }.count == 10)
            #expect(RandomTokenTests.names { _ = try TemporaryFile() }.count == 10)
        }
    }

    private static func names(_ make: () throws -> Void) -> Set<String> {
        var names: Set<String> = []
        for _ in 0..<10 {
            do { try make() } catch let error as TeapotError { names.insert(error.failureReason ?? "") } catch {}
        }
        return names
    }
}
