internal import Foundation

/// A file that is the body of a request.
package struct BodyFile: Sendable {
    package let url: URL
    /// In bytes.
    package let size: Int
    /// Keeps a temporary file for as long as it is sent.
    private let owner: TemporaryFile?

    /// Looks at the file of a body; `nil` if the body is in memory.
    ///
    /// - Throws: `fileError` unless it is a regular file that can be read: FoundationNetworking hangs on a directory.
    init?(_ body: Teapot.Request.Body) throws(TeapotError) {
        switch body.content {
        case .data: return nil
        // FoundationNetworking takes the length of a symbolic link for that of the file.
        case .file(let file): (url, owner) = (file.resolvingSymlinksInPath(), nil)
        case .temporaryFile(let file): (url, owner) = (file.url, file)
        }
        size = try RegularFile.size(of: url)
    }
}
