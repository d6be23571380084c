import Teapot

/// Describes a request that a mock cannot answer.
struct UnansweredRequest {
    let request: RecordedRequest
    let secrets: SecretPolicy

    /// Nothing declared matches.
    func unmatched(by overrides: [Override]) -> TeapotError {
        let start = "MockTeapot has no answer for this request:"
        guard let (nearest, differences) = nearest(of: overrides) else {
            return error(start, "Nothing is declared.", [], reason: "nothing is declared")
        }
        var lines = overrides.prefix(Self.longestList).map { indented(text($0)) }
        if overrides.count > lines.count { lines.append(indented("and \(overrides.count - lines.count) more")) }
        lines.append("Nearest: " + text(nearest))
        let texts = differences.map { $0.text(secrets) }
        return error(start, "Declared:", lines + texts.map(indented), reason: texts.joined(separator: "; "))
    }

    /// Several declarations match, and none is more specific.
    func matched(by overrides: [Override]) -> TeapotError {
        error(
            "MockTeapot has several answers for this request:",
            "Declared, and equally specific:",
            overrides.map { indented(text($0)) },
            reason: "\(overrides.count) declarations match it, and none is more specific"
        )
    }

    /// The sequence is at its end.
    func exhausted(_ override: Override, number: Int) -> TeapotError {
        let reason = "it has \(counted(override.limit ?? 0, "response")), and this is request \(number)"
        let start = "MockTeapot has no answer left for this request:"
        return error(start, "Declared:", [indented(text(override)), indented(reason)], reason: reason)
    }

    private static let longestList = 20

    @inline(never) private func text(_ override: Override) -> String { override.declaration(secrets).description }

    @inline(never)
    private func error(_ start: String, _ title: String, _ lines: [String], reason: String) -> TeapotError {
        let all = [start, indented(request.title(secrets)), title] + lines
        return .unexpectedRequest(all.joined(separator: "\n"), reason: reason)
    }

    private func indented(_ line: String) -> String { "    " + line }

    /// The declaration with the right path or type, if there is one, and then with the fewest differences.
    private func nearest(of overrides: [Override]) -> (Override, [Difference])? {
        var nearest: (override: Override, differences: [Difference])?
        for override in overrides {
            let differences = override.matcher.differences(from: request)
            let isOfTarget = differences.first?.isOfTarget == true
            if let nearest {
                let isNearestOfTarget = nearest.differences.first?.isOfTarget == true
                if isOfTarget && !isNearestOfTarget { continue }
                if isOfTarget == isNearestOfTarget, differences.count >= nearest.differences.count { continue }
            }
            nearest = (override, differences)
        }
        return nearest
    }
}
