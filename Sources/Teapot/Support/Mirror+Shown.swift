extension Mirror {
    /// The mirror of a value with secrets: `print`, `"\(…)"` and `dump` show these members, and nothing else.
    package init(_ subject: some Any, shown: KeyValuePairs<String, Any>) {
        self.init(subject, children: shown, displayStyle: .struct)
    }
}
