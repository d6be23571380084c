internal import Teapot

/// The parts of a request that are compared with the entries of a recording, made once, on first use.
final class ReceivedRequest: Sendable {
    private let values = Locked<(url: ReceivedURL?, body: CanonicalBody?)>((nil, nil))

    func url(of request: RecordedRequest) -> ReceivedURL {
        values.withLock { values in
            let url = values.url ?? ReceivedURL(request.url)
            values.url = url
            return url
        }
    }

    func body(of request: RecordedRequest) -> CanonicalBody {
        values.withLock { values in
            let body = values.body ?? CanonicalBody(request.body)
            values.body = body
            return body
        }
    }
}

/// The URL of a request in the form of an entry's URL.
struct ReceivedURL: Sendable {
    let origin: Origin?
    let segments: [String]
    let items: [HARField]
    let fingerprint: Int

    init(_ url: URL) {
        origin = Origin(url)
        segments = RecordedURL.segments(of: url.path(percentEncoded: true))
        items = RecordedURL.sorted(HARURL.queryItems(of: url.absoluteString))
        fingerprint = RecordedURL.fingerprint(segments, items)
    }
}
