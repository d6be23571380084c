/// The embedded server's answer to an upload.
struct UploadDigest: Codable, Equatable, Sendable {
    /// The number of bytes received.
    let count: Int
    /// FNV-1a of 64 bits, in hexadecimal digits.
    let digest: String
}
