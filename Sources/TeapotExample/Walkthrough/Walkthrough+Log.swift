import Teapot

extension Walkthrough {
    func showLog() async {
        await checklist.step("log without secrets") {
            let (username, password, token) = ("ada", "correct-horse-battery", "c0ffee-1234")
            let header = client.teapot.basicAuthenticationHeader(username: username, password: password)
            let encoded = Data("\(username):\(password)".utf8).base64EncodedString()

            let entries = Locked<[String]>([])
            client.teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
                entries.withLock { $0.append(entry) }
            }
            defer { client.teapot.logger = Logger() }
            try await client.teapot.put(
                "anything/notes/1?access_token=\(token)",
                body: ["title": "Buy tea", "password": password],
                headerFields: header
            )

            let log = entries.withLock { $0 }.joined(separator: "\n")
            guard log.contains("→ PUT"), log.contains("← 200 PUT"), log.contains("Authorization: <redacted>") else {
                throw Mismatch(expected: "request and response in the log", found: "\n\(log)")
            }
            for secret in [password, encoded, token] where log.contains(secret) {
                throw Mismatch(expected: "no \(secret) in the log", found: "\n\(log)")
            }
            return "both ways, with everything secret redacted\n\(log)"
        }
    }
}
