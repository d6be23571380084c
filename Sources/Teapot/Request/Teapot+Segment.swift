extension Teapot {
    /// A text as one segment of a path (RFC 3986, section 3.3), whatever it contains: `/`, `?`, `#` and `%` are encoded, too.
    ///
    /// ```swift
    /// try await teapot.put("contents/\(Teapot.segment(name))", body: ["text": text])
    /// ```
    ///
    /// - Parameter text: The text, such as a name that a user chose.
    /// - Returns: The segment, percent-encoded.
    /// - Throws: `invalidRequestPath` if the text is empty, `.` or `..`, which would name another resource.
    public static func segment(_ text: String) throws(TeapotError) -> String {
        guard !["", ".", ".."].contains(text) else {
            throw .invalidRequestPath(reason: "\"\(text)\" as a path segment would name another resource")
        }
        return PercentEncoding.encodeAll(text)
    }
}
