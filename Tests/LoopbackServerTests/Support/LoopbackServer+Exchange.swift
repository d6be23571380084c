import LoopbackServer

extension LoopbackServer {
    /// Sends one request on a connection of its own.
    func exchange(_ method: String, _ target: String) throws -> RawResponse {
        let client = try RawClient(port: port)
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: loopback\r\n\r\n")
        return try client.readResponse()
    }
}
