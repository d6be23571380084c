/// The requests that a mock received, or the latest of them.
struct RequestLog {
    /// In order of arrival.
    private(set) var all: [RecordedRequest] = []

    /// The maximum number of requests to keep; `nil` for no limit.
    var limit: Int? {
        didSet { trim() }
    }

    mutating func append(_ request: RecordedRequest) {
        all.append(request)
        trim()
    }

    private mutating func trim() {
        if let limit { all.removeFirst(max(all.count - limit, 0)) }
    }
}
