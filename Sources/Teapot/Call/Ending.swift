import TeapotFoundation

/// The end of an exchange.
final class Ending: Sendable {
    /// The state of the sink in which the body arrives.
    enum SinkUse: Sendable {
        /// It has got nothing.
        case none
        /// It is working at this moment.
        case underWay
        /// It has got a part, of which it says later what it has kept.
        case begun
        /// `nil` if the reader already got the beginning.
        case kept(KeptBody?)
    }

    let response: ResponseHead?
    let data: Data
    let error: (any Error)?
    let timings: Teapot.Timings
    let sinkUse: SinkUse

    init(
        response: ResponseHead? = nil,
        data: Data = Data(),
        error: (any Error)? = nil,
        timings: Teapot.Timings = Teapot.Timings(),
        sinkUse: SinkUse = .none
    ) {
        self.response = response
        self.data = data
        self.error = error
        self.timings = timings
        self.sinkUse = sinkUse
    }

    /// The same, with what the sink has kept. A sink that is at work is not asked, as the call would wait for it.
    func asking(_ sink: (any BodySink)?) -> Ending {
        guard case .begun = sinkUse, let sink else { return self }
        return Ending(response: response, data: data, error: error, timings: timings, sinkUse: .kept(sink.kept))
    }

    /// The failure of an exchange without a whole response.
    func failure(_ secrets: SecretPolicy) -> TeapotError {
        let cause = error ?? URLError(.badServerResponse)
        guard let own = cause as? TeapotError else {
            guard let response else { return .noResponse(cause) }
            let reason = secrets.redacted(line: cause.localizedDescription)
            return .dataTaskError(cause, reason: reason, response: response, data: data)
        }
        guard let response, own.head == nil else { return own }
        return own.with(response, data)
    }
}
