import Teapot

/// A declared endpoint and its responses.
final class Override: Sendable {
    enum Answers: Sendable {
        case sequence([MockResponse], afterLast: MockTeapot.AfterLast)
        case computed(@Sendable (RecordedRequest) throws -> MockResponse)
    }

    let matcher: any RequestMatcher
    let answers: Answers
    let place: MockTeapot.Declaration.Place
    /// The specificity of the matcher, which is constant.
    let specificity: [Int]
    private let useCount = Locked(0)

    init(_ matcher: any RequestMatcher, _ answers: Answers, at place: MockTeapot.Declaration.Place) {
        self.matcher = matcher
        specificity = matcher.specificity
        self.answers = answers
        self.place = place
    }

    var uses: Int { useCount.withLock { $0 } }

    func declaration(_ secrets: SecretPolicy) -> MockTeapot.Declaration {
        MockTeapot.Declaration(endpoint: matcher.summary(secrets), place: place)
    }

    var isRecorded: Bool { if case .recording = place { true } else { false } }

    /// The maximum number of requests; `nil` for no limit.
    var limit: Int? {
        guard case .sequence(let responses, .fails) = answers else { return nil }
        return responses.count
    }

    /// The finding if the endpoint was not used as declared.
    func finding(_ secrets: SecretPolicy) -> MockTeapot.Finding? {
        let uses = uses
        guard uses > 0 else { return .unused(declaration(secrets)) }
        guard let limit, uses != limit else { return nil }
        guard uses > limit else { return .usedTooSeldom(declaration(secrets), requests: uses, responses: limit) }
        return .usedTooOften(declaration(secrets), requests: uses, responses: limit)
    }

    /// Whether the sequence has a response left.
    var isLeft: Bool {
        guard case .sequence(let responses, _) = answers else { return false }
        return uses < responses.count
    }

    /// Counts a request if the sequence has a response left.
    /// - Returns: The number of the request, from 1 on; `nil` if it was not counted.
    func useNext() -> Int? {
        guard case .sequence(let responses, _) = answers else { return nil }
        // In one step: of two requests at the same time, only one gets the last response.
        return useCount.withLock { count in
            guard count < responses.count else { return nil }
            count += 1
            return count
        }
    }

    /// Counts a request.
    /// - Returns: The number of the request, from 1 on.
    func use() -> Int {
        useCount.withLock { count in
            count += 1
            return count
        }
    }

    /// The response to a request; `nil` if the sequence is at its end. Throws the error of the closure.
    func answer(to request: RecordedRequest, number: Int) throws -> MockResponse? {
        switch answers {
        case .computed(let compute): try compute(request)
        case .sequence(let responses, .repeats): responses[min(number, responses.count) - 1]
        case .sequence(let responses, .fails): number <= responses.count ? responses[number - 1] : nil
        }
    }
}
