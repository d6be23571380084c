internal import Teapot

/// What a request is compared by with the entries of a recording, made once, when the first of them asks for it.
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

/// The URL of a request as that of an entry is kept.
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
