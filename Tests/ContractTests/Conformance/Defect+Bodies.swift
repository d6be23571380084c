import LoopbackServer
import Teapot
import TestSupport

extension Defect {
    private static let file = "a body in a file arrives byte for byte, with its length"

    /// What is wrong with bodies, in either direction.
    static let bodies: [Defect] = [
        .request("sends bodies as text", ["a body in memory arrives byte for byte"]) {
            $0.httpBody = $0.httpBody.map { Data(String(decoding: $0, as: UTF8.self).utf8) }
        },
        .request("sends a body where there is none", ["a request without a body has none"]) {
            if $0.httpBody == nil, $0.httpMethod == "POST" { $0.httpBody = Data("null".utf8) }
        },
        .request(
            "sends DELETE without its body",
            ["POST, PUT, PATCH and DELETE send their bodies", "a Teapot sends each method, and gets the response"]
        ) {
            if $0.httpMethod == "DELETE" { $0.httpBody = nil }
        },
        .request("names a type of its own", ["a body arrives with its type and its length"]) {
            $0.setValue("application/json", forHTTPHeaderField: "Content-Type")
        },
        .request("cuts off what it sends", ["a body of 1 MB arrives, and comes back"]) {
            $0.httpBody = $0.httpBody.map { $0.prefix(65_536) }
        },
        Defect("sends a file without its length", [file]) {
            WrongTransport { base, request, file, receive in
                var request = request
                request.httpBodyStream = file.flatMap(InputStream.init(url:))
                return base.start(request, bodyFile: nil, receive: receive)
            }
        },
        Defect("does not send files", [file, "a Teapot uploads a file"]) {
            WrongTransport { base, request, _, receive in base.start(request, bodyFile: nil, receive: receive) }
        },
        Defect(
            "cuts off what comes",
            ["a body is whole", "a Teapot downloads to a file", "a Teapot reads a body in pieces"]
        ) {
            WrongTransport { base, request, file, receive in
                let left = Locked(65_536)
                return base.start(request, bodyFile: file) { event in
                    guard case .data(let data) = event else { return receive(event) }
                    let count = left.withLock { left in
                        defer { left -= min(left, data.count) }
                        return min(left, data.count)
                    }
                    receive(.data(data.prefix(count)))
                }
            }
        },
        .data("takes the coding of chunks for a part of the body", ["a body in chunks is whole"]) { data, request in
            request.url?.path().hasPrefix("/stream/") == true ? Data("\(data.count)\r\n".utf8) + data : data
        },
        .data("does not decompress", ["gzip and deflate are decompressed"]) { data, request in
            request.url?.lastPathComponent == "deflate" ? StoredCompression.zlib(data) : data
        },
        .data("takes every body for text", ["a Teapot loads an image"]) { data, _ in
            Data(String(decoding: data, as: UTF8.self).utf8)
        },
    ]
}
