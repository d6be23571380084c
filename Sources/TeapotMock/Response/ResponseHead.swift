internal import Teapot

/// What an `HTTPURLResponse` is made of.
///
/// Making one takes Foundation a quarter of the time of a mocked call, so a mock keeps them.
struct ResponseHead: Hashable {
    typealias Cache = BoundedCache<ResponseHead, HTTPURLResponse?>

    let url: URL
    let status: MockTeapot.StatusCode
    let headerFields: [String: String]

    /// `nil` when Foundation makes none of it.
    func makeResponse() -> HTTPURLResponse? {
        HTTPURLResponse(url: url, statusCode: status.rawValue, httpVersion: "HTTP/1.1", headerFields: headerFields)
    }
}
