import Foundation
import Teapot
import TeapotCache
import TeapotCurl
import TeapotMock
import TestSupport

/// Calls whose responses have header fields that are as hard to read as a server can make them.
///
/// The count is that of a byte of the fields, so it is the same for each length unless the time grows faster than the field. All
/// that Teapot reads in a response is read: by the transport, the call, its cookies, its retries, the cache, the log and the caller.
extension CountedCall {
    static let hostileFields = [
        hostile("location", 302, ["Location"]), hostile("cookies", 200, ["Set-Cookie"]),
        hostile("retry", 503, ["Retry-After", "Date"], ["Retry-After": "Sat, 21 Nov 2026 10:00:00 GMT"]),
        hostile("body", 200, ["Content-Type", "Content-Disposition", "Content-Location", "Server"]),
        hostile("cache", 200, ["Cache-Control", "Vary", "Age", "Expires", "Date", "ETag", "Last-Modified"]),
        hostile("links", 401, ["Link", "WWW-Authenticate"]), hostile("log", 200, ["X-Text", "X-Token", "Connection"]),
    ]

    /// The texts that are the hardest to read for some rule, each repeated.
    private static let pieces = [
        "a", "a, ", ", ", "\"", "{\"", "=", ";", "a=b;", "a=b, ", "a=\"", "<a>;rel=n,", "\\", "12:", "1", "/",
        "http://",
        "%41", "../", "[", "Bearer ", "token=\"", "\"token\":\"", "é", "Expires=Wed, ", "=1, ;path=/",
    ]

    /// Of a field, in bytes.
    private static let size = 2_048

    private static func hostile(
        _ name: String,
        _ status: Int,
        _ names: [String],
        _ others: [String: String] = [:]
    ) -> CountedCall {
        CountedCall(
            name: "hostile-\(name)",
            summary: "a byte of hostile \(names.joined(separator: ", "))",
            // A microsecond, about.
            goal: 3_000,
            requests: 2 * pieces.count,
            bytes: names.count * size
        ) { server in
            let transport = HostileTransport(status: status, others: others) { number in
                let piece = pieces[number / 2 % pieces.count]
                let text = String(repeating: piece, count: size / piece.utf8.count)
                return names.map { ($0, text) }
            }
            let teapot = Teapot(
                baseURL: server,
                defaultDeliveryQueue: DispatchQueue(label: "TeapotBenchmark.hostile"),
                transport: CachingTransport(wrapping: transport),
                clock: ImmediateClock()
            )
            teapot.retryPolicy = RetryPolicy(maximumAttempts: 2)
            teapot.logger = Logger(level: .incomingAndOutgoingData) { _ in }
            // Each is compared with the path of a redirect.
            try teapot.cookies.set(
                (0..<50).map { Teapot.Cookie(name: "kettle-\($0)", value: "tea", domain: server.host(), path: "/a") }
            )
            var request = Teapot.Request(path: "first")
            request.acceptedStatuses = [401]
            return .calls { [request] completion in
                teapot.send(request) { result in
                    switch result {
                    case .success(let response):
                        _ = (response.text, response.links, response.challenges, "\(response.headerFields)")
                    case .failure(let error): _ = error.debugDescription
                    }
                    completion(nil)
                }
            }
        }
    }
}

/// A transport that answers with hostile fields, in turn as `CurlTransport` and as `URLSession` do.
private struct HostileTransport: Transport {
    let status: Int
    let others: [String: String]
    let fields: @Sendable (_ number: Int) -> [(name: String, value: String)]
    private let count = Locked(0)

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        guard let url = request.urlRequest.url else { return nil }
        let isFirst = url.lastPathComponent == "first"
        let number = count.withLock { count in
            if isFirst { count += 1 }
            return count
        }
        let lines = isFirst ? others.map { ($0.key, $0.value) } + fields(number) : []
        do {
            let head = try head(of: url, isFirst ? status : 200, lines)
            receive(number.isMultiple(of: 2) ? TransportEvent(.response(head)) : .response(head.http))
            receive(.data(Data("{}".utf8)))
            receive(.finished(nil))
        } catch { receive(.finished(error)) }
        return nil
    }

    private func head(of url: URL, _ status: Int, _ fields: [(name: String, value: String)]) throws -> ResponseHead {
        #if os(Linux)
            var header = ResponseHeader(canBeHTTP2: false)
            for line in ["HTTP/1.1 \(status) Tea"] + fields.map({ "\($0.name): \($0.value)" }) + [""] {
                let step = try Array(line.utf8).withUnsafeBytes { try header.take($0, of: url) { "HTTP/1.1" } }
                if case .response(let head, _) = step { return head }
            }
        #endif
        return ResponseHead(url: url, status: status, lines: FieldLines(Dictionary(fields) { $1 }))
    }
}
