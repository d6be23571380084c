import TeapotFoundation

/// The policy of a call: which request it sends next, and when, or with what it ends.
///
/// It has no locks, transports and clocks: results and times come in, a ``Step`` comes out. One thread at a time uses it.
final class CallPlan {
    /// The next step of a call, with ``request``.
    enum Step: Sendable {
        /// Ask for a credential in place of the one that it has, and continue with ``next(with:isFresh:)``.
        case authorize(isRejected: Bool)
        /// Add the credential, let the plugins change the request, and continue with ``next(afterPreparing:using:)``, or with
        /// ``next(using:)`` if there is nothing to add.
        case prepare
        /// Send it, after ``begin(at:)``, and continue with ``next(after:at:)``.
        case send
        /// Continue with ``next(afterWaitingUntil:)`` at that time, after that delay.
        case wait(until: Duration, delay: Duration)
        case finish(Teapot.Outcome)
    }

    /// The rejection of the call's credential by a server. The first one repeats the request; the second one ends the call.
    private enum Rejection {
        case none
        /// The server rejected a request without a credential. The request that is prepared now repeats it.
        case ofNoCredential
        case past
    }

    let rules: Rules
    /// Whether the body can be sent only once.
    let isSentOnce: Bool
    /// The request that each attempt begins with.
    private(set) var first: Indirect<OutgoingRequest>
    /// The request to send, or the last one sent.
    private(set) var request: Indirect<OutgoingRequest>
    /// Whether plugins have seen the request, or the request that was redirected to it.
    private var isPrepared = false
    /// Whether the authenticator has just confirmed the request's credential. The call has neither waited nor prepared a request since.
    private var isFresh: Bool
    /// Whether the first request of the attempt may be sent twice.
    private(set) var isIdempotent = false
    /// The secrets of the call, with the credentials used so far.
    private(set) var secrets: SecretPolicy
    /// The number of requests that began an attempt.
    private(set) var attempts = 0
    /// The attempts that the retry policy no longer counts.
    private var attemptsBeforeProgress = 0
    /// The number of requests that were begun in the attempt. Only the first one must be sent before ``Rules/lastStart``.
    private var requests = 0
    private var rejection = Rejection.none
    /// The offset at which the body was last resumed, in bytes.
    private var offset: Int
    /// The error of the last exchange, if that was a failure.
    private(set) var failure: TeapotError?

    init(sending request: Indirect<OutgoingRequest>?, by rules: Rules, secrets: SecretPolicy, offset: Int = 0) {
        isSentOnce = request?.value.sent.bodyPieces != nil
        self.rules = rules
        self.secrets = secrets
        first = request ?? Self.nothing
        self.request = first
        isFresh = first.value.issued != nil
        self.offset = offset
    }

    var firstRequest: URLRequest? { first === Self.nothing ? nil : first.value.urlRequest }

    func release() { (first, request, failure) = (Self.nothing, Self.nothing, nil) }

    private static let nothing = Indirect(OutgoingRequest(urlRequest: URLRequest(url: URL(filePath: "/"))))

    // MARK: - On the way out

    func start() -> Step {
        requests = 0
        // Each attempt asks the authenticator, as a new call does: the credential may have expired, or a refresh may have failed.
        goBack(keeping: isFresh ? first.value.issued : nil)
        return rules.rejectedStatuses != nil && !isFresh ? .authorize(isRejected: false) : .prepare
    }

    /// Goes back to the first request of the call. It keeps its credential if that is `issued`, and loses any other.
    private func goBack(keeping issued: Authenticator.Issued?) {
        if let own = first.value.issued, own != issued { first = first.with { $0.removeIssued() } }
        request = first
        isPrepared = false
    }

    /// Continues with a credential, possibly the one that the request has; `nil` if the request needs none. `isFresh` is `false` if the
    /// call has waited for the credential, which may have been rejected meanwhile.
    func next(with credential: Result<Authenticator.Issued?, any Error>, isFresh: Bool) -> Step {
        let issued: Authenticator.Issued?
        do { issued = try credential.get() } catch {
            let error = TeapotError.preparationFailed(error, secrets)
            // Its own details are those of the call that requested the credential.
            return .finish(.failure(error.with(.none, refresh: error.details)))
        }
        self.isFresh = isFresh
        // The server has rejected a request without a credential, and the authenticator has none.
        if isPrepared, request.value.issued == nil, issued == nil, let failure { return .finish(.failure(failure)) }
        if isPrepared, request.value.issued == issued { return .send }
        guard request.value.redirects > 0, let issued else {
            goBack(keeping: issued)
            if request.value.issued != issued { request = request.with { $0.issued = issued } }
            return .prepare
        }
        // A redirect is not prepared again.
        do throws(TeapotError) {
            request = try request.with { (request) throws(TeapotError) in
                request.removeIssued()
                request.issued = issued
                // A field of the request itself stays.
                guard request.urlRequest.value(forHTTPHeaderField: issued.credential.name) == nil else { return }
                try issued.credential.apply(to: &request.urlRequest)
                request.sent.credentials.append(issued.credential)
            }
        } catch { return .finish(.failure(error)) }
        return unchanged ?? .send
    }

    /// Continues with the request as the plugins left it, or ends the call with their error. `credentials` are those that the plugins
    /// used, also before an error.
    func next(afterPreparing result: Result<OutgoingRequest, any Error>, using credentials: [Credential]) -> Step {
        switch result {
        case .success(let prepared):
            request = Indirect(prepared)
            isFresh = false
            return next(using: credentials)
        case .failure(let error):
            secrets = secrets.adding(credentials)
            return .finish(.failure(.preparationFailed(error, secrets)))
        }
    }

    /// Continues with a request to which no plugin and no credential has to be added.
    func next(using credentials: [Credential] = []) -> Step {
        isPrepared = true
        if !credentials.isEmpty { request = request.with { $0.sent.credentials = credentials } }
        if let end = unchanged { return end }
        isIdempotent =
            first.value.isIdempotent
            ?? (request.value.urlRequest.hasIdempotentMethod || first.value.urlRequest.hasIdempotencyKey)
        return sending
    }

    /// The end of the call if the server has rejected a request without a credential, and the repeated request has none, either: a
    /// plugin has set the field of the credential.
    private var unchanged: Step? {
        guard case .ofNoCredential = rejection else { return nil }
        rejection = .past
        return request.value.hasIssued ? nil : failure.map { .finish(.failure($0)) }
    }

    /// Sends the request, or first asks whether its credential is still the current one.
    private var sending: Step {
        !isFresh && request.value.issued != nil && request.value.hasIssued ? .authorize(isRejected: false) : .send
    }

    /// Begins to send the request.
    /// - Returns: The request, signed.
    /// - Throws: The error that prevents a signature, or that of the time.
    func begin(at now: @autoclosure () -> Duration) throws(TeapotError) -> Indirect<OutgoingRequest> {
        // Plugins may have taken a while.
        requests += 1
        if let error = error(at: now()) { throw error }
        let signed = request.value.sent.credentials.isEmpty ? request : try sign()
        if requests == 1 { attempts += 1 }
        return signed
    }

    private func sign() throws(TeapotError) -> Indirect<OutgoingRequest> {
        var signed = request
        var result = Result<Void, any Error>.success(())
        if request.value.sent.credentials.contains(where: { $0.signer != nil }) {
            // The fields that the signature has set are secrets even if it has failed.
            signed = request.with { outgoing in result = Result { try outgoing.sign() } }
        }
        secrets = secrets.adding(signed.value.sent.credentials)
        if case .failure(let error) = result { throw .preparationFailed(error, secrets) }
        return signed
    }

    /// The error if the call must be over, or if no further attempt may begin.
    func error(at now: @autoclosure () -> Duration) -> TeapotError? {
        if requests == 1, let failure, let end = rules.lastStart, end <= now() { return failure }
        guard let deadline = rules.deadline, deadline <= now() else { return nil }
        return .noResponse(URLError.deadlinePassed)
    }

    /// Continues at a time, possibly later than asked for.
    func next(afterWaitingUntil now: Duration) -> Step {
        // The caller's task may have been suspended for longer than the deadline.
        if let failure, let end = rules.lastStart, end <= now { return .finish(.failure(failure)) }
        return start()
    }

    // MARK: - On the way back

    /// Decides by the rules in this order: a success that `validate` refuses, a redirect, a rejected credential, a part of a download
    /// that does not fit, another attempt, the end.
    func next(
        after result: ExchangeResult,
        at now: @autoclosure () -> Duration,
        _ details: @autoclosure () -> CallDetails = .none
    ) -> Step {
        failure = nil
        isFresh = false
        guard let response = result.response, result.error == nil else {
            return next(after: result, result.failure(secrets).with(details()), at: now)
        }
        guard !response.isAccepted(by: rules.acceptedStatuses) else {
            if let validate = rules.validate {
                let success = Teapot.Response(data: result.data, head: response, details: details())
                do { try validate(success) } catch {
                    let refusal = success.parsingError(error, special: "Teapot:ValidationFailed")
                    return next(after: result, refusal, at: now)
                }
            }
            return .finish(.success(Teapot.Response(data: result.data, head: response, details: .none)))
        }
        // A redirect to another origin loses the fields of credentials, even if the secret policy is off.
        let error = TeapotError.invalidResponseStatus(response, data: result.data).with(details())
        let names = request.value.sent.credentials.map(\.name)
        let policy = RedirectPolicy(secrets: secrets.adding(names), isSentOnce: request.value.sent.bodyPieces != nil)
        switch policy.decision(for: request.value.urlRequest, response, after: request.value.redirects) {
        case .follow(let urlRequest):
            failure = error
            request = request.with { $0.redirect(to: urlRequest) }
            return sending
        case .refuse(let reason):
            let refusal = TeapotError.invalidResponseStatus(response, data: result.data, reason: reason)
            return next(after: result, refusal.with(error.details), at: now)
        case .none: return next(after: result, error, at: now)
        }
    }

    private func next(after result: ExchangeResult, _ error: TeapotError, at now: () -> Duration) -> Step {
        failure = error
        return repeats(after: error) ?? asksForWhole(after: result) ?? retries(after: result, error, at: now)
            ?? .finish(.failure(error))
    }

    /// Repeats a request, once, if the server rejected its credential.
    private func repeats(after error: TeapotError) -> Step? {
        guard error.type == .invalidResponseStatus, rules.rejectedStatuses?.contains(error.responseStatus ?? 0) == true,
            case .none = rejection, !isSentOnce, request.value.hasIssued || lacksCredential
        else { return nil }
        rejection = request.value.issued == nil ? .ofNoCredential : .past
        return .authorize(isRejected: true)
    }

    /// Whether the request was sent without a credential to the origin that gets credentials.
    private var lacksCredential: Bool {
        (!rules.isPreemptive || rules.hasOwnAuthorization) && request.value.issued == nil
            && request.value.urlRequest.isSameOrigin(as: first.value.urlRequest)
    }

    /// Requests a download from its beginning if the server's part does not continue the file.
    private func asksForWhole(after result: ExchangeResult) -> Step? {
        guard rules.resumes, result.response?.status == 206, case .partial(let partial) = result.sinkState,
            partial.validator == nil, first.value.urlRequest.value(forHTTPHeaderField: "Range") != nil
        else { return nil }
        first = first.with { $0.resume(at: partial) }
        return start()
    }

    private func retries(after result: ExchangeResult, _ error: TeapotError, at now: () -> Duration) -> Step? {
        guard let policy = rules.retryPolicy, !isSentOnce, error.type != .cancelled, !result.timings.isMadeByCache
        else { return nil }
        var partial: PartialBody?
        switch result.sinkState {
        case .none: break
        case .partial(let body): partial = body
        // The reader already has the beginning of the body, or the sink is taking a piece of it now.
        case .begun, .running: return nil
        }
        if rules.resumes, let partial, partial.validator != nil, partial.offset - offset >= partial.leastProgress {
            offset = partial.offset
            attemptsBeforeProgress = attempts - 1
        }
        let count = attempts - attemptsBeforeProgress
        let failed = RetryPolicy.Failure(error: error, request: request.value.urlRequest, attempts: count)
        guard let delay = policy.delay(after: failed, isIdempotent: isIdempotent) else { return nil }
        let time = now() + delay
        if let end = rules.lastStart, end <= time { return nil }
        if rules.resumes, let partial { first = first.with { $0.resume(at: partial) } }
        return .wait(until: time, delay: delay)
    }
}
