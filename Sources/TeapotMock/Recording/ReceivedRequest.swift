import Teapot

/// The parts of a request that are compared with the entries of a recording, made once, on first use.
final class ReceivedRequest: Sendable {
    private let values = Locked<(url: RecordedURL?, body: CanonicalBody?)>((nil, nil))

    func url(of request: RecordedRequest) -> RecordedURL? {
        values.withLock { values in
            let url = values.url ?? RecordedURL(request.url.absoluteString)
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
