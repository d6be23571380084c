import Teapot

/// Describes a request that a mock cannot answer.
struct UnansweredRequest {
    let request: RecordedRequest
    let secrets: SecretPolicy

    /// Nothing declared matches.
    func unmatched(by overrides: [Override]) -> TeapotError {
        guard let (nearest, differences) = nearest(of: overrides) else {
            return error(
                ["MockTeapot has no answer for this request:", asked, "Nothing is declared."],
                "nothing is declared"
            )
        }
        let shown = overrides.prefix(Self.longestList).map { indented($0.declaration(secrets).description) }
        let rest = overrides.count - shown.count
        let texts = differences.map { $0.text(secrets) }
        return error(
            ["MockTeapot has no answer for this request:", asked, "Declared:"] + shown
                + (rest > 0 ? [indented("and \(rest) more")] : [])
                + ["Nearest: \(nearest.declaration(secrets))"] + texts.map(indented),
            texts.joined(separator: "; ")
        )
    }

    /// Several declarations match, and none is more specific.
    func matched(by overrides: [Override]) -> TeapotError {
        error(
            ["MockTeapot has several answers for this request:", asked, "Declared, and equally specific:"]
                + overrides.map { indented($0.declaration(secrets).description) },
            "\(overrides.count) declarations match it, and none is more specific"
        )
    }

    /// The sequence is at its end.
    func exhausted(_ override: Override, number: Int) -> TeapotError {
        let reason = "it has \(counted(override.limit ?? 0, "response")), and this is request \(number)"
        return error(
            [
                "MockTeapot has no answer left for this request:", asked,
                "Declared:", indented(override.declaration(secrets).description), indented(reason),
            ],
            reason
        )
    }

    private static let longestList = 20

    private var asked: String { indented(request.title(secrets)) }

    private func error(_ lines: [String], _ reason: String) -> TeapotError {
        .unexpectedRequest(lines.joined(separator: "\n"), reason: reason)
    }

    private func indented(_ line: String) -> String { "    " + line }

    /// The declaration with the right path or type, if there is one, and then with the fewest differences.
    private func nearest(of overrides: [Override]) -> (Override, [Difference])? {
        overrides
            .map { ($0, $0.matcher.differences(from: request)) }
            .min { lhs, rhs in
                let (lhs, rhs) = (lhs.1, rhs.1)
                return (lhs.first?.isOfTarget == true ? 1 : 0, lhs.count)
                    < (rhs.first?.isOfTarget == true ? 1 : 0, rhs.count)
            }
    }
}
