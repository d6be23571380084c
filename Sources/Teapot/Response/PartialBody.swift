struct PartialBody: Sendable {
    /// Identifies the version of the file (see ``ResumeValidator``); `nil` if the part cannot be resumed.
    var validator: String?
    /// The size of the part in bytes.
    var length = 0
    /// The size of the whole file in bytes; `nil` if unknown.
    var expectedLength: Int?

    /// The offset at which to resume. The last byte is requested again, so that a complete file still has a range to request.
    var offset: Int { max(length - 1, 0) }

    /// The header fields that request the rest (RFC 9110, sections 13.1.5 and 14.2).
    var requestFields: [String: String] {
        guard let validator, length > 0 else { return [:] }
        return ["Range": "bytes=\(offset)-", "If-Range": validator]
    }

    /// The number of new bytes that count as progress, so that a server cannot keep the call going with a byte each time.
    var leastProgress: Int { max((expectedLength ?? 100 << 20) / 100, 1) }
}
