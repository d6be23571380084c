import Teapot
import TeapotMock
import TestSupport

/// Makes many calls to a mock, one after the other, and prints how long one takes and what memory the process holds meanwhile.
///
/// - Returns: Whether every call was answered and counted, and memory did not grow.
func mockLoad(_ arguments: Arguments) async throws -> Bool {
    let requests = arguments.requests ?? 100_000
    let mock = MockTeapot(strictIn: .main)
    mock.maximumRequestCount = arguments.keptRequests
    try mock.overrideEndPoint("users/:id", method: .get) { request in
        try .json(["id": request.pathParameters["id"] ?? ""])
    }
    try mock.overrideEndPoint("users", method: .post, with: .json(["id": "1"], status: .created))
    for number in 0..<20 { try mock.overrideEndPoint("other/\(number)", with: .status(.ok)) }

    let kept = arguments.keptRequests.map { "the latest \($0)" } ?? "all"
    print("\(requests) mocked requests, of which \(kept) are kept\n\n  requests  µs/request  resident memory")
    var memory: [Int] = []
    var counted = 0
    for point in 1...MockLoad.pointCount {
        let numbers =
            requests * (point - 1) / MockLoad.pointCount..<requests * point / MockLoad.pointCount
        let start = ContinuousClock.now
        for number in numbers { try await MockLoad.call(mock, number) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        counted += numbers.count
        let resources = ProcessResources.current
        resources.map { memory.append($0.memory) }
        let figures = [
            "\(counted)".padded(to: 10),
            String(format: "%.1f", seconds / Double(max(numbers.count, 1)) * 1e6).padded(to: 12),
            (resources.map { "\($0.memory) KB" } ?? "unknown").padded(to: 17),
        ]
        print(figures.joined())
    }
    let isRecorded = mock.requests.count == min(arguments.keptRequests ?? counted, counted)
    let last = memory.suffix(MockLoad.pointCount / 2)
    guard let least = last.min(), let most = last.max() else {
        print("\nThe memory of the process is unknown on this system, and is not judged.")
        return isRecorded
    }
    let isFlat = most - least <= most / 20
    print("\nThe last \(last.count) points are \(most - least) KB apart: memory is \(isFlat ? "" : "not ")flat.")
    return isRecorded && (isFlat || arguments.keptRequests == nil)
}

private enum MockLoad {
    static let pointCount = 10

    struct User: Codable {
        let id: String
    }

    struct WrongAnswer: Error {}

    /// Every other one sends a body.
    static func call(_ mock: MockTeapot, _ number: Int) async throws {
        let user =
            number.isMultiple(of: 2)
            ? try await mock.get("users/\(number)", as: User.self)
            : try await mock.post("users", body: User(id: "1"), as: User.self)
        guard user.id == (number.isMultiple(of: 2) ? "\(number)" : "1") else { throw WrongAnswer() }
    }
}
