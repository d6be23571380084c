import Foundation
import LoopbackServer

extension LoopbackServer {
    /// Sends one request on a connection of its own, with `Host` and `Content-Length` added to the header lines.
    func exchange(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) throws -> RawResponse
    {
        try exchange(method, target, headers: headers, bytes: body.map { Data($0.utf8) })
    }

    func exchange(_ method: String, _ target: String, headers: [String], bytes: Data?) throws -> RawResponse {
        let client = try RawClient(port: port)
        let lines = ["\(method) \(target) HTTP/1.1", "Host: loopback"] + headers
        let length = bytes.map { ["Content-Length: \($0.count)"] } ?? []
        try client.send((lines + length + ["", ""]).joined(separator: "\r\n"))
        try client.send(bytes ?? Data())
        return try client.readResponse(isHead: method == "HEAD")
    }
}
