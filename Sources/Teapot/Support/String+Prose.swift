extension String {
    /// Whether these are words, and no secret, whatever its name: `is required`, `string`, `Bearer`.
    package var isProse: Bool {
        var length = 0
        return utf8.allSatisfy { byte in
            length = ByteSet.letters.contains(byte) ? length + 1 : 0
            return length < 16 && (length > 0 || Self.punctuation.contains(byte))
        }
    }

    private static let punctuation = ByteSet(" .,:;!?'()")
}
