import Foundation

/// The files that can be downloaded in parts: ``GeneratedFile``, with all that a resumed download depends on.
///
/// The query selects the behaviour of the server:
///
/// - `version=V`: other content, and other validators.
/// - `validator=etag|weak|date|none`: which validators are shown; without it a strong `ETag` and a `Last-Modified`.
/// - `ranges=none`: ranges are neither given nor offered.
/// - `shift=1`: a part begins one byte later than it was asked for, and says so.
/// - `chunked=1`: the chunked coding, no `Content-Length`.
/// - `cut=K`: the connection is closed after K bytes of the body.
/// - `wait=1`: the rest waits for `release()` once the first 64 KB are out.
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
        let version = query.integer("version") ?? 1
        let validators = validators(count: count, version: version, shown: query.value("validator"))
        let hasRanges = query.value("ranges") != "none"
        var response = validators.reduce(Response(contentType: "application/octet-stream")) {
            $0.adding($1.name, $1.value)
        }
        .adding("Date", httpDate(Date()))
        if hasRanges { response = response.adding("Accept-Ranges", "bytes") }

        var range = 0..<count
        if hasRanges, let asked = asked(of: request, validators: validators.map(\.value)) {
            guard var part = asked.resolved(count: count) else {
                response.status = 416
                return response.adding("Content-Range", "bytes */\(count)")
            }
            if query.value("shift") == "1", part.count > 1 { part.removeFirst() }
            range = part
            response.status = 206
            response = response.adding("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
        }
        response.body = .generated(
            GeneratedBody(
                range: range,
                piece: { GeneratedFile.bytes($0, version: version) },
                isChunked: query.value("chunked") == "1",
                cut: query.integer("cut"),
                waits: query.value("wait") == "1"
            )
        )
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

    private static func validators(count: Int, version: Int, shown: String?) -> [(name: String, value: String)] {
        let tag = (name: "ETag", value: "\"file-\(count)-\(version)\"")
        // Each version is a day younger, and all are old enough for the date to be a strong validator.
        let days = Double(version % 3650)
        let date = (name: "Last-Modified", value: httpDate(Date(timeIntervalSince1970: 946_684_800 + days * 86_400)))
        return switch shown {
        case "etag": [tag]
        case "weak": [("ETag", "W/" + tag.value)]
        case "date": [date]
        case "none": []
        default: [tag, date]
        }
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
