internal import Teapot

extension MockTeapot {
    /// One way in which a mock was not used as it was declared.
    public enum Finding: Sendable, Hashable, CustomStringConvertible {
        /// The endpoint got no request.
        case unused(Declaration)
        /// The sequence, after the last of which requests fail, has responses left.
        case usedTooSeldom(Declaration, requests: Int, responses: Int)
        /// The sequence, after the last of which requests fail, got more requests.
        case usedTooOften(Declaration, requests: Int, responses: Int)
        /// A strict mock got a request, here with method and URL, that matches nothing.
        case unexpected(String)

        /// One line, for people.
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

    /// How the mock was not used as it was declared, so far: endpoints in the order of their declaration, then the first
    /// hundred requests that nothing matched. Empty when all is well.
    ///
    /// Each endpoint that was declared must have got a request. A sequence that fails after its last response must have
    /// got exactly as many requests as it has responses.
    public var findings: [Finding] { mock.findings(secretPolicy) }

    /// Throws if there are ``findings``. Call it at the end of a test.
    ///
    /// - Throws: ``MockTeapotError/verificationFailed(_:)``, whose description has a line for each.
    public func verify() throws(MockTeapotError) {
        let findings = findings
        guard findings.isEmpty else { throw .verificationFailed(findings) }
    }
}

/// A number with its noun: `1 request`, `2 requests`.
func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}
