import Teapot

extension MockTeapot {
    /// A way in which a mock was not used as declared. A later version may add cases: a `switch` needs `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Finding: Sendable, Hashable, CustomStringConvertible {
        /// The endpoint received no request.
        case unused(Declaration)
        /// The sequence, which fails after its last response, has responses left.
        case usedTooSeldom(Declaration, requests: Int, responses: Int)
        /// The sequence, which fails after its last response, received more requests.
        case usedTooOften(Declaration, requests: Int, responses: Int)
        /// A strict mock received a request that it could not answer, here with its method and URL: nothing matches, or
        /// several endpoints match and none is more specific.
        case unexpected(String)

        /// The finding on one line.
        public var description: String {
            switch self {
            case .unused(let declaration):
                "\(declaration) was never used"
            case .usedTooSeldom(let declaration, let requests, let responses),
                .usedTooOften(let declaration, let requests, let responses):
                "\(declaration) has \(counted(responses, "response")), and got \(counted(requests, "request"))"
            case .unexpected(let request):
                "\(request) had no answer"
            }
        }
    }

    /// The ways in which the mock was not used as declared: endpoints in the order of their declaration, then the first hundred
    /// requests that had no answer. Empty if there are none.
    ///
    /// Each declared endpoint must have received a request. A sequence that fails after its last response must have received
    /// exactly as many requests as it has responses.
    public var findings: [Finding] { mock.findings(secretPolicy) }

    /// Throws an error if there are ``findings``. Call it at the end of a test.
    ///
    /// - Throws: ``MockTeapotError/verificationFailed(_:)``, whose description has a line for each finding.
    public func verify() throws(MockTeapotError) {
        let findings = findings
        guard findings.isEmpty else { throw .verificationFailed(findings) }
    }
}

/// A number with its noun: `1 request`, `2 requests`.
func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
