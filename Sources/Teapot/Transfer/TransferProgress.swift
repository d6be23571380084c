/// How far a download or an upload has come.
public struct TransferProgress: Sendable, Hashable {
    /// How many bytes were transferred so far, those of a file that is resumed included.
    public let bytes: Int
    /// How many there are in all; `nil` when that is not known.
    public let expectedBytes: Int?

    /// Makes a state of a transfer, such as one for the preview or the test of a progress bar.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes were transferred so far.
    ///   - expectedBytes: How many there are in all; `nil` when that is not known.
    public init(bytes: Int, expectedBytes: Int?) {
        self.bytes = bytes
        self.expectedBytes = expectedBytes
    }

    /// From 0 to 1; `nil` when the number of bytes in all is not known.
    public var fraction: Double? {
        expectedBytes.map { $0 > 0 ? min(Double(bytes) / Double($0), 1) : 1 }
    }
}
