extension MockTeapot {
    /// The behavior after the last response of a sequence. A later version may add cases: a `switch` needs `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum AfterLast: Sendable {
        /// The last response repeats.
        case repeats
        /// Further requests fail with `unexpectedRequest`.
        case fails
    }
}
