import Teapot

extension TransportTrial {
    /// A client of the server, with the transport that is checked, or one in front of it.
    func client(_ transport: (any Transport)? = nil) -> Teapot {
        Teapot(
            baseURL: server,
            defaultDeliveryQueue: DispatchQueue(label: "TransportBehavior"),
            transport: transport ?? self.transport
        )
    }

    /// The limit, in seconds.
    var timeout: TimeInterval { limit / .seconds(1) }

    func checked(_ request: Teapot.Request) -> CheckedRequest {
        CheckedRequest(behavior: behavior, name: "\(request.method) /\(request.path)")
    }

    /// Sends a request that has to succeed.
    func response(to request: Teapot.Request, by client: Teapot? = nil) async throws -> CheckedAnswer {
        let response = try await success(of: request) { try await (client ?? self.client()).send($0) }
        return CheckedAnswer(request: checked(request), http: response.http, data: response.data)
    }

    /// The value of a call that must succeed.
    func success<Value>(of request: Teapot.Request, _ call: (Teapot.Request) async throws -> Value) async throws
        -> Value
    {
        var patient = request
        patient.timeoutInterval = timeout
        do {
            return try await call(patient)
        } catch {
            throw checked(request).violation(expected: "a success", received: Self.text(of: error))
        }
    }

    /// The error of a call that has to fail.
    func failure(of request: Teapot.Request, by client: Teapot) async throws -> TeapotError {
        let response: Teapot.Response
        do {
            response = try await client.send(request)
        } catch {
            return error
        }
        throw checked(request).violation(expected: "an error", received: "status \(response.status)")
    }
}
