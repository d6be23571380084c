internal import Teapot

/// An endpoint that is answered in its own way.
final class Override: Sendable {
    enum Answers: Sendable {
        case sequence([MockResponse], afterLast: MockTeapot.AfterLast)
        case computed(@Sendable (RecordedRequest) throws -> MockResponse)
        /// The last one repeats.
        case recorded([Result<MockResponse, TeapotError>])
    }

    let matcher: any RequestMatcher
    let answers: Answers
    let place: MockTeapot.Declaration.Place
    /// Of the matcher, which does not change.
    let specificity: [Int]
    private let useCount = Locked(0)

    init(_ matcher: any RequestMatcher, _ answers: Answers, at place: MockTeapot.Declaration.Place) {
        self.matcher = matcher
        specificity = matcher.specificity
        self.answers = answers
        self.place = place
    }

    /// How many requests it got.
    var uses: Int { useCount.withLock { $0 } }

    func declaration(_ secrets: SecretPolicy) -> MockTeapot.Declaration {
        MockTeapot.Declaration(endpoint: matcher.summary(secrets), place: place)
    }

    /// How many requests it answers; `nil` for any number.
    var limit: Int? {
        guard case .sequence(let responses, .fails) = answers else { return nil }
        return responses.count
    }

    /// How it was not used as it was declared.
    func finding(_ secrets: SecretPolicy) -> MockTeapot.Finding? {
        let uses = uses
        return switch (uses, limit) {
        case (0, _): .unused(declaration(secrets))
        case (_, let limit?) where uses < limit:
            .usedTooSeldom(declaration(secrets), requests: uses, responses: limit)
        case (_, let limit?) where uses > limit:
            .usedTooOften(declaration(secrets), requests: uses, responses: limit)
        default: nil
        }
    }

    /// Counts a request.
    ///
    /// - Returns: Which one it is, from 1 on.
    func use() -> Int {
        useCount.withLock { count in
            count += 1
            return count
        }
    }

    /// - Parameters:
    ///   - request: What is answered.
    ///   - number: Which request it is, from 1 on.
    /// - Returns: The answer; `nil` when the sequence is at its end.
    /// - Throws: What the closure throws.
    func answer(to request: RecordedRequest, number: Int) throws -> MockResponse? {
        switch answers {
        case .computed(let compute): try compute(request)
        case .recorded(let answers): try answers[min(number, answers.count) - 1].get()
        case .sequence(let responses, .repeats): responses[min(number, responses.count) - 1]
        case .sequence(let responses, .fails): number <= responses.count ? responses[number - 1] : nil
        }
    }
}

extension MockTeapot {
    /// What comes after the last response of a sequence.
    public enum AfterLast: Sendable {
        /// The last one, again and again.
        case repeats
        /// Nothing: further requests fail with `unexpectedRequest`.
        case fails
    }
}

extension MockTeapot {
    /// An endpoint that was declared, and where.
    public struct Declaration: Sendable, Hashable, CustomStringConvertible {
        /// Where an endpoint was declared.
        public enum Place: Sendable, Hashable {
            /// In code: what `#fileID`, `#filePath`, `#line` and `#column` were.
            case code(fileID: String, filePath: String, line: Int, column: Int)
            /// In a recording: the name of the file, and which of its entries, from 1 on.
            case recording(file: String, entry: Int)
        }

        /// What is answered, such as `GET users/:id?page=2`, secrets redacted.
        public let endpoint: String
        /// Where it was declared.
        public let place: Place

        /// Endpoint and place: `GET users/:id (ClientTests/UserTests.swift:12:8)`.
        public var description: String { "\(endpoint) (\(place.text))" }
    }
}

extension MockTeapot.Declaration.Place {
    fileprivate var text: String {
        switch self {
        case .code(let fileID, _, let line, let column): "\(fileID):\(line):\(column)"
        case .recording(let file, let entry): "\(file), entry \(entry)"
        }
    }
}
