import TeapotFoundation

/// The end of an exchange.
final class ExchangeResult: Sendable {
    /// The part of the body that the sink has, on which another attempt depends.
    enum SinkState: Sendable {
        case none
        /// The sink is taking a piece at this moment.
        case running
        /// The sink has taken a part, and was not asked for it.
        case begun
        /// The part that the sink has.
        case partial(PartialBody)
    }

    let response: ResponseHead?
    let data: Data
    let error: (any Error)?
    let timings: Teapot.Timings
    let sinkState: SinkState

    init(response: ResponseHead?, data: Data, error: (any Error)?, timings: Teapot.Timings, sinkState: SinkState) {
        self.response = response
        self.data = data
        self.error = error
        self.timings = timings
        self.sinkState = sinkState
    }

    /// The same result with the part that the sink has. A sink that is taking a piece is not asked: the call would wait for it.
    func asking(_ sink: (any BodySink)?) -> ExchangeResult {
        guard case .begun = sinkState, let part = sink?.partialBody else { return self }
        return ExchangeResult(response: response, data: data, error: error, timings: timings, sinkState: .partial(part))
    }

    /// The failure of an exchange without a whole response.
    func failure(_ secrets: SecretPolicy) -> TeapotError {
        let cause = error ?? URLError(.badServerResponse)
        if let own = cause as? TeapotError { return own.with(response, data) }
        guard let response else { return .noResponse(cause) }
        let reason = secrets.redacted(line: cause.localizedDescription)
        return .dataTaskError(cause, reason: reason, response: response, data: data)
    }
}
