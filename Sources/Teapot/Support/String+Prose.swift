extension String {
    /// Whether these are words, and no secret, whatever its name: `is required`, `string`, `Bearer`.
    package var isProse: Bool {
        var length = 0
        for byte in utf8 {
            length = ByteSet.letters.contains(byte) ? length + 1 : 0
            guard length < 16, length > 0 || Self.punctuation.contains(byte) else { return false }
        }
        return true
    }

    private static let punctuation = ByteSet(" .,:;!?'()")
}
