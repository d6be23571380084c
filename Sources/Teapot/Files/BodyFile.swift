internal import Foundation

/// A file that is the body of a request, as it was when the call began.
package struct BodyFile: Sendable {
    package let url: URL
    /// In bytes.
    package var size: Int { version.size }
    private let version: RegularFile.Version
    /// Keeps a temporary file for as long as it is sent.
    private let owner: TemporaryFile?

    /// Looks at the file of a body; `nil` if the body is in memory.
    ///
    /// - Throws: `fileError` unless it is a regular file that can be read: FoundationNetworking hangs on a directory.
    init?(_ body: Teapot.Request.Body) throws(TeapotError) {
        switch body.content {
        case .data, .value: return nil
        case .file(let file): try self.init(file)
        case .temporaryFile(let file): try self.init(file.url, owner: file)
        }
    }

    /// - Throws: `fileError` unless it is a regular file that can be read.
    init(_ file: URL, owner: TemporaryFile? = nil) throws(TeapotError) {
        // FoundationNetworking takes the length of a symbolic link for that of the file.
        url = owner == nil ? file.resolvingSymlinksInPath() : file
        version = try RegularFile.version(of: url)
        self.owner = owner
    }

    /// Opens the file, of which the first ``size`` bytes are the body.
    ///
    /// - Throws: `fileError` when it is another one by now, or was written to before its end.
    package func open() throws(TeapotError) -> RegularFile {
        let file = try RegularFile(reading: url)
        try check(file.version)
        return file
    }

    /// Looks at the file once more.
    ///
    /// - Throws: `fileError` when it is another one by now, or was written to before its end.
    func check() throws(TeapotError) {
        try check(RegularFile.version(of: url))
    }

    private func check(_ current: RegularFile.Version) throws(TeapotError) {
        guard version.isBeginning(of: current) else {
            throw .fileError(url, "it was changed or replaced after the call began")
        }
    }
}
