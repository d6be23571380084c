/// The requests that a mock received, or the latest of them.
struct RequestLog {
    private var kept: [RecordedRequest] = []
    /// The index of the oldest request. Once the limit is reached, the next request takes its place, since moving all others up for each
    /// request would take longer than a call.
    private var oldest = 0

    /// In order of arrival.
    var all: [RecordedRequest] { kept.indices.map { kept[(oldest + $0) % kept.count] } }

    /// The maximum number of requests to keep; `nil` for no limit.
    var limit: Int? {
        didSet {
            kept = Array(all.suffix(max(limit ?? .max, 0)))
            oldest = 0
        }
    }

    mutating func append(_ request: RecordedRequest) {
        guard let limit, kept.count >= limit else { return kept.append(request) }
        guard kept.indices.contains(oldest) else { return }
        kept[oldest] = request
        oldest = (oldest + 1) % kept.count
    }
}
