import Teapot

extension Walkthrough {
    func showErrors() {
        checklist.step("a 404 is an error") {
            let error = try error { completion in
                client.teapot.get("status/404") { completion($0.status) }
            }
            try expectStatus(404, of: error)
            return error.explanation
        }

        checklist.step("a 401 is an error") {
            let error = try error {
                client.logIn(username: "ada", password: "guessed", to: "ada/correct-horse", completion: $0)
            }
            try expectStatus(401, of: error)
            return error.explanation
        }

        checklist.step("a bad path is an error") {
            let error = try error { completion in
                client.teapot.get("../../elsewhere") { completion($0.status) }
            }
            try expect(.invalidRequestPath, found: error.type)
            return error.explanation
        }
    }

    func showLogin() {
        checklist.step("log in with basic auth") {
            let user = try answer {
                client.logIn(username: "ada", password: "correct-horse", to: "ada/correct-horse", completion: $0)
            }
            try expect("ada", found: user)
            return user
        }
    }

    private func expectStatus(_ status: Int, of error: TeapotError) throws {
        guard error.type == .invalidResponseStatus, error.responseStatus == status else {
            throw Mismatch(expected: "an error with status \(status)", found: error.explanation)
        }
    }
}
