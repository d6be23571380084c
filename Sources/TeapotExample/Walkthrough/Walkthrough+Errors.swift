import Teapot

extension Walkthrough {
    func showErrors() async {
        await checklist.step("a 404 is an error") {
            let error = try await error { () throws(TeapotError) in try await client.teapot.get("status/404") }
            try expectStatus(404, of: error)
            return error.explanation
        }

        await checklist.step("a 401 is an error") {
            let error = try await error { () throws(TeapotError) in
                try await client.logIn(username: "ada", password: "guessed", to: "ada/correct-horse")
            }
            try expectStatus(401, of: error)
            return error.explanation
        }

        await checklist.step(
            "an error's body decodes",
            code: """
                var refusal: ServiceError?
                do {
                    try await teapot.get("status/406")
                } catch let error as TeapotError {
                    refusal = try error.decode(ServiceError.self)
                }
                """
        ) {
            var refusal: ServiceError?
            do {
                try await teapot.get("status/406")
            } catch let error as TeapotError {
                refusal = try error.decode(ServiceError.self)
            }
            guard let refusal else { throw Mismatch(expected: "a 406", found: "an answer") }
            return "\(refusal.message) Only: \(refusal.accept.joined(separator: ", "))"
        }

        await checklist.step("another shape is an error") {
            struct Misunderstood: Decodable {
                struct Headers: Decodable {
                    let Host: Int
                }
                let headers: Headers
            }
            let error = try await error { () throws(TeapotError) in
                try await client.teapot.get("get", as: Misunderstood.self)
            }
            try expect(.decodingFailed, found: error.type)
            guard error.description.contains("$.headers.Host") else {
                throw Mismatch(expected: "the place of the value", found: error.explanation)
            }
            return error.description
        }

        await checklist.step("a bad path is an error") {
            let error = try await error { () throws(TeapotError) in try await client.teapot.get("../../elsewhere") }
            try expect(.invalidRequestPath, found: error.type)
            return error.explanation
        }
    }

    func showLogin() async {
        await checklist.step("log in with basic auth") {
            let user = try await client.logIn(username: "ada", password: "correct-horse", to: "ada/correct-horse")
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
