extension Mirror {
    /// The mirror of a value with secrets: `print`, `"\(…)"` and `dump` show its text, and nothing else.
    package init(_ subject: some Any, text: String) {
        self.init(subject, unlabeledChildren: [text], displayStyle: .struct)
    }
}
