import Teapot

/// A request in the forms in which it is compared with declarations and with the entries of a recording, each made on first use.
final class ReceivedRequest {
    let request: RecordedRequest
    private(set) lazy var path = request.url.path(percentEncoded: true)
    private(set) lazy var url = RecordedURL(request.url.absoluteString)
    private(set) lazy var body = CanonicalBody(request.body)

    init(_ request: RecordedRequest) { self.request = request }
}
