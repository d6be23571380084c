import Teapot

extension Walkthrough {
    func showLog() async {
        await checklist.step(
            "log without secrets",
            code: """
                teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
                    entries.withLock { $0.append(entry) }
                }
                try await teapot.put(
                    "anything/notes/1?access_token=\\(token)",
                    body: Teapot.Request.Body(form: ["title": "Buy tea", "password": password]),
                    headerFields: teapot.basicAuthenticationHeader(username: username, password: password)
                )
                """
        ) {
            let (username, password, token) = ("ada", "correct-horse-battery", "c0ffee-1234")
            let encoded = Data("\(username):\(password)".utf8).base64EncodedString()

            let entries = Locked<[String]>([])
            defer { teapot.logger = Logger() }
            teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
                entries.withLock { $0.append(entry) }
            }
            try await teapot.put(
                "anything/notes/1?access_token=\(token)",
                body: Teapot.Request.Body(form: ["title": "Buy tea", "password": password]),
                headerFields: teapot.basicAuthenticationHeader(username: username, password: password)
            )

            let log = entries.withLock { $0 }.joined(separator: "\n")
            guard log.contains("→ PUT"), log.contains("← 200 PUT"), log.contains("Authorization: <redacted>") else {
                throw Mismatch(expected: "request and response in the log", found: "\n\(log)")
            }
            for secret in [password, encoded, token] where log.contains(secret) {
                throw Mismatch(expected: "no \(secret) in the log", found: "\n\(log)")
            }
            return "what was sent and received, with every secret redacted\n\(log)"
        }
    }
}
