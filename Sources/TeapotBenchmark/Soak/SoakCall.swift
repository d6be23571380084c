import Teapot

/// One kind of call that a soak makes again and again, and what it is to come to.
struct SoakCall: Sendable {
    /// What a call came to.
    enum Outcome: Sendable {
        case success
        case expectedFailure
        case unexpected(String)
    }

    /// The content of a response was wrong.
    struct WrongContent: Error {
        let description: String

        /// - Throws: If the content is not right.
        static func unless(_ isRight: Bool, _ description: String) throws {
            guard isRight else { throw WrongContent(description: description) }
        }
    }

    let name: String
    /// How many of a thousand calls are of this kind.
    let share: Int
    /// The error that it is to end with; `nil` for a success.
    var error: TeapotError.ErrorType?
    /// The status of the response that the error is to have.
    var status: Int?
    /// Makes the call, the one with this number, and looks at what came.
    let make: @Sendable (SoakClient, Int) async throws -> Void

    /// All kinds of calls, whose shares make a thousand, and one that takes a connection for a while.
    static let mixed = (
        calls: successes + failures,
        connecting: SoakCall(name: "delay", share: 0) { client, _ in try await client.teapot.get(connectingPath) }
    )

    /// Slow enough for as many connections to be opened as there are calls at once.
    static let connectingPath = "delay/0.2"

    /// Makes the call, and compares what it came to with what it was to come to.
    func outcome(_ client: SoakClient, _ number: Int) async -> Outcome {
        do {
            try await make(client, number)
            return error == nil ? .success : .unexpected("\(name): no error")
        } catch let error as TeapotError where error.type == self.error && error.responseStatus == status {
            return .expectedFailure
        } catch let error as TeapotError {
            return .unexpected("\(name): \(error.debugDescription)")
        } catch {
            return .unexpected("\(name): \(error)")
        }
    }
}
