import Foundation

/// The body of a request while it comes in: kept, or only digested.
struct IncomingBody {
    /// The bytes that were kept.
    private(set) var data = Data()

    /// The digest of a body that is not kept; `nil` for one that is.
    private(set) var digest: BodyDigest?

    /// - Parameter isDigested: Whether the bytes are dropped once they are digested.
    init(isDigested: Bool) {
        digest = isDigested ? BodyDigest() : nil
    }

    /// The number of bytes that may still arrive: only a body that is kept has a limit.
    var room: Int {
        digest == nil ? RequestReader.bodyLimit - data.count : .max
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if digest?.update(bytes) == nil {
            data.append(contentsOf: bytes.bindMemory(to: UInt8.self))
        }
    }
}
