/// The requests that a mock received, or the latest of them.
struct RequestLog {
    private var kept: [RecordedRequest] = []
    /// The index of the oldest one. Once there are as many as allowed, the next one takes its place: to move all others up for each
    /// request would take longer than its call.
    private var oldest = 0

    /// In order of arrival.
    var all: [RecordedRequest] { Array(kept[oldest...] + kept[..<oldest]) }

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
