/// What the embedded server answers to an upload.
struct UploadDigest: Codable, Equatable, Sendable {
    /// How many bytes came.
    let count: Int
    /// FNV-1a of 64 bits, in hexadecimal digits.
    let digest: String
}
