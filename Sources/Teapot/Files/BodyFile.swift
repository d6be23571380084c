import Foundation

/// A file that is the body of a request, with its state at the beginning of the call.
package final class BodyFile: Sendable {
    let url: URL
    /// The size in bytes.
    package var size: Int { version.size }
    private let version: RegularFile.Version
    /// Keeps a temporary file while it is being sent.
    private let owner: TemporaryFile?

    /// - Throws: `fileError` unless it is a readable regular file. FoundationNetworking would hang on a directory.
    init(_ file: URL, owner: TemporaryFile? = nil) throws(TeapotError) {
        // FoundationNetworking takes the length of a symbolic link for the length of the file.
        url = owner == nil ? file.resolvingSymlinksInPath() : file
        version = try RegularFile.version(of: url)
        self.owner = owner
    }

    /// Opens the file, whose first ``size`` bytes are the body.
    /// - Throws: `fileError` if it was replaced, or changed other than at its end.
    package func open() throws(TeapotError) -> RegularFile {
        let file = try RegularFile(reading: url)
        try check(file.version)
        return file
    }

    /// Checks the file again, as ``open()`` does.
    func check() throws(TeapotError) { try check(RegularFile.version(of: url)) }

    private func check(_ current: RegularFile.Version) throws(TeapotError) {
        guard version.isBeginning(of: current) else {
            throw .fileError(url, "it was changed or replaced after the call began")
        }
    }
}
