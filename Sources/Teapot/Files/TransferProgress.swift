extension Teapot {
    /// The progress of a download or an upload.
    public struct TransferProgress: Sendable, Equatable {
        /// The number of bytes transferred so far, including those of a resumed file.
        public let bytes: Int
        /// The total number of bytes; `nil` if unknown.
        public let expectedBytes: Int?

        /// Makes a progress value, for example for the preview or the test of a progress bar.
        public init(bytes: Int, expectedBytes: Int?) {
            self.bytes = bytes
            self.expectedBytes = expectedBytes
        }

        /// The fraction from 0 to 1; `nil` if the total number of bytes is unknown.
        public var fraction: Double? { expectedBytes.map { $0 > 0 ? min(Double(bytes) / Double($0), 1) : 1 } }
    }
}
