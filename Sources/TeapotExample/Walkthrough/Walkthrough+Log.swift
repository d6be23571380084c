import Teapot

extension Walkthrough {
    func showLog() {
        checklist.step("log without secrets") {
            let (username, password, token) = ("ada", "correct-horse-battery", "c0ffee-1234")
            let header = client.teapot.basicAuthenticationHeader(username: username, password: password)
            let encoded = Data("\(username):\(password)".utf8).base64EncodedString()

            let entries = Mailbox<String>()
            client.teapot.logger = Logger(level: .incomingAndOutgoingData) { entries.put($0) }
            defer { client.teapot.logger = Logger() }
            let status = try answer { completion in
                client.teapot.put(
                    "anything/notes/1?access_token=\(token)",
                    parameters: ["title": "Buy tea", "password": password],
                    headerFields: header
                ) { completion($0.status) }
            }
            try expect(200, found: status)

            let log = entries.contents.joined(separator: "\n")
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
