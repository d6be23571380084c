public import Foundation
import Teapot

/// An error in the use of a ``MockTeapot``. Only the mock's own methods throw it, never a call. Its texts are in English, and
/// show no secret of `SecretPolicy.standard`. A later version may add cases: a `switch` needs `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum MockTeapotError: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// The override is invalid, for the given reason: for example, two endpoints tie, or a sequence is empty.
    case invalidOverride(String)
    /// The mock was not used as it was declared.
    case verificationFailed([MockTeapot.Finding])

    /// The reason in words; for failed verifications, one line for each finding.
    public var description: String {
        switch self {
        case .invalidOverride(let reason):
            "Invalid override: \(SecretPolicy.standard.redacted(line: reason))."
        case .verificationFailed(let findings):
            (["MockTeapot was not used as it was declared:"] + findings.map { "    \($0)" }).joined(separator: "\n")
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
