import Teapot

/// Shows the progress of a transfer, in place on a terminal. Elsewhere, only the last state is used, as text.
final class ProgressBar: Sendable {
    private static let width = 24

    private let title: String
    private let latest = Locked<String>("")

    /// - Parameter title: The text before the bar.
    init(_ title: String) {
        self.title = title
    }

    /// The last state, such as `[######------] 50 %, 32.8 of 65.5 KB`.
    var text: String { latest.withLock { $0 } }

    /// Shows a state. Called on one thread at a time, as ``Teapot`` reports progress.
    func show(_ progress: TransferProgress) {
        show(bytes: progress.bytes, expectedBytes: progress.expectedBytes)
    }

    func show(bytes: Int, expectedBytes: Int?) {
        let text = Self.text(bytes: bytes, expectedBytes: expectedBytes)
        latest.withLock { $0 = text }
        Terminal.update("  \(title)  \(text)")
    }

    private static func text(bytes: Int, expectedBytes: Int?) -> String {
        guard let expectedBytes, expectedBytes > 0 else { return ByteCount.text(bytes) }
        let fraction = min(Double(bytes) / Double(expectedBytes), 1)
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return "[\(bar)] \(Int(fraction * 100)) %, \(ByteCount.text(bytes)) of \(ByteCount.text(expectedBytes))"
    }
}
