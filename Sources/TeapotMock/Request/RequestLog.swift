/// The requests that a mock got, or the latest of them.
struct RequestLog {
    private var requests: [RecordedRequest] = []

    /// How many are kept; all of them if `nil`.
    var limit: Int? {
        didSet { trim() }
    }

    /// In the order they came.
    var all: [RecordedRequest] { limit.map { Array(requests.suffix($0)) } ?? requests }

    mutating func append(_ request: RecordedRequest) {
        requests.append(request)
        // Not each time, since the others are moved.
        if let limit, requests.count / 2 >= limit { trim() }
    }

    private mutating func trim() {
        if let limit { requests.removeFirst(max(requests.count - limit, 0)) }
    }
}
