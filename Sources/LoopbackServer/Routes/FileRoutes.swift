import Foundation

/// The files that can be downloaded in parts: ``GeneratedFile``, with all that a resumed download depends on.
///
/// With `validator=date` in the query they have no `ETag`; with `chunked=1` they have the chunked coding and no `Content-Length`.
enum FileRoutes {
    static let all = [
        Route(["GET"], "file/*") { request, parameters in
            guard let count = Int(parameters[0]), (0...GeneratedFile.sizeLimit).contains(count) else {
                return .page(status: 404)
            }
            return file(count, request)
        }
    ]

    private static func file(_ count: Int, _ request: ReceivedRequest) -> Response {
        let query = Query(request)
        let validators = validators(count: count, hasTag: query.value("validator") != "date")
        var response = validators.reduce(Response(contentType: "application/octet-stream")) {
            $0.adding($1.name, $1.value)
        }
        .adding("Date", httpDate(Date()))
        .adding("Accept-Ranges", "bytes")

        var range = 0..<count
        if let asked = asked(of: request, validators: validators.map(\.value)) {
            guard let part = asked.resolved(count: count) else {
                response.status = 416
                return response.adding("Content-Range", "bytes */\(count)")
            }
            range = part
            response.status = 206
            response = response.adding("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
        }
        response.body = .generated(GeneratedBody(range: range, isChunked: query.value("chunked") == "1"))
        return response
    }

    /// The range to be given. `nil` for the whole, as for any method but GET (RFC 9110, section 14.2).
    private static func asked(of request: ReceivedRequest, validators: [String]) -> RangeHeader? {
        guard request.method == "GET", let range = request.header("Range") else { return nil }
        // Strong comparison, or exactly the date: either way the very text, but of no weak tag (RFC 9110, section 13.1.5).
        if let condition = request.header("If-Range") {
            guard !condition.hasPrefix("W/"), validators.contains(condition) else { return nil }
        }
        return RangeHeader(range)
    }

    private static func validators(count: Int, hasTag: Bool) -> [(name: String, value: String)] {
        // Old enough to be a strong validator.
        let date = (name: "Last-Modified", value: httpDate(Date(timeIntervalSince1970: 946_684_800)))
        return (hasTag ? [(name: "ETag", value: "\"file-\(count)\"")] : []) + [date]
    }

    /// A date as header fields have it (RFC 9110, section 5.6.7).
    private static func httpDate(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
