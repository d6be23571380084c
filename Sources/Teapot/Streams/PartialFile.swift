import Foundation

/// The file of an unfinished download: a temporary one, or one that a later download can resume.
///
/// A resumable file lies beside its place as `NAME.partial`, together with `NAME.partial.json`, which records its source and
/// how to check that the source is unchanged. No other download can write to it meanwhile. Only its owner's queue uses it.
final class PartialFile {
    private struct Record: Codable {
        /// The URL, secrets redacted.
        let source: String
        let validator: String
        /// The size of the whole file in bytes, if the server has named it.
        let size: Int?
    }

    private let url: URL
    private let handle: FileHandle
    /// The URL of the record; `nil` if the file is only for this download.
    private let recordURL: URL?
    private let source: String
    /// The part that exists and can be resumed, or the new one, with the size of the whole that a response has named.
    private(set) var body = PartialBody()
    /// The last byte of the existing part, which was requested again and with which the rest must begin.
    private var repeated: Data?
    /// Whether a later download can resume the file.
    private var isResumable = false

    /// Makes an empty file for one download, with a name of its own.
    init(beside target: URL) throws(TeapotError) {
        url = target.deletingLastPathComponent().appending(path: ".teapot-\(String.randomToken()).partial")
        handle = try .open(url, O_WRONLY | O_CREAT | O_NOFOLLOW | O_EXCL, mode: Self.mode(for: target))
        recordURL = nil
        source = ""
    }

    /// Opens the file of an earlier download, or makes an empty one, and locks and checks it.
    init(resuming target: URL, from source: String) throws(TeapotError) {
        url = target.appendingPathExtension("partial")
        let recordURL = url.appendingPathExtension("json")
        self.recordURL = recordURL
        self.source = source
        handle = try .open(url, O_RDWR | O_CREAT | O_NOFOLLOW, mode: Self.mode(for: target))
        // Two downloads, also of two processes, must not write to one file.
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isInUse = errno == EWOULDBLOCK
            throw .fileError(url, isInUse ? "another download is using it" : String(cString: strerror(errno)))
        }
        guard let status = handle.status else { throw .fileError(url, errno: errno) }
        // Between opening and locking, another download may have moved the file into place, or removed it.
        guard isFile(at: url) else { throw .fileError(url, "another download is using it") }
        // A file with two names would change under both.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw .fileError(url, "it is not a regular file, or it has another hard link")
        }
        // Its owner could read and change the bytes that are written.
        guard status.st_uid == geteuid() else { throw .fileError(url, "it belongs to another user") }
        // There may have been no private file to replace when the partial file was made.
        if let permissions = Self.permissions(of: target), fchmod(handle.fileDescriptor, permissions | 0o600) != 0 {
            throw .fileError(url, errno: errno)
        }
        isResumable = status.st_size > 0
        if let record = Self.record(at: recordURL), record.source == source, ResumeValidator.isValid(record.validator) {
            let length = Int(status.st_size)
            body = PartialBody(validator: record.validator, length: length, expectedLength: record.size)
        }
    }

    /// Reads the record of a partial file, but not another user's, or a link to it.
    private static func record(at url: URL) -> Record? {
        let maximumSize = 262_144
        guard let handle = try? FileHandle.open(url, O_RDONLY | O_NOFOLLOW), let status = handle.status,
            status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_size <= maximumSize,
            let data = try? handle.read(upToCount: maximumSize)
        else { return nil }
        return try? JSONDecoder().decode(Record.self, from: data)
    }

    /// The permissions of the file to replace, so that nobody gains access meanwhile; `nil` if there is none. If it belongs to
    /// another user, others cannot write.
    private static func permissions(of target: URL) -> mode_t? {
        var status = stat()
        guard lstat(target.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_mode & (status.st_uid == geteuid() ? 0o777 : 0o755)
    }

    /// The mode of a partial file: its owner can always write to it.
    private static func mode(for target: URL) -> mode_t { permissions(of: target).map { $0 | 0o600 } ?? 0o666 }

    /// Whether the server's rest belongs to the same file as the part (RFC 9110, section 15.3.7.3). A server that has an entity
    /// tag must send it with the rest, but need not repeat a date (section 15.3.7).
    func isOfSameFile(_ headers: Teapot.HeaderFields) -> Bool {
        guard let validator = body.validator else { return false }
        if headers["ETag"] == validator || headers["Last-Modified"] == validator { return true }
        return headers["ETag"] == nil && headers["Last-Modified"] == nil && !ResumeValidator.isEntityTag(validator)
    }

    /// Prepares for the rest of a file of this size.
    func resume(size: Int) throws(TeapotError) {
        body.length = body.offset
        isResumable = body.length > 0
        try TeapotError.naming(url) {
            try handle.seek(toOffset: UInt64(body.length))
            // Without this byte, somebody has shortened the file.
            repeated = try handle.read(upToCount: 1) ?? Data()
            try handle.truncate(atOffset: UInt64(body.length))
            guard body.expectedLength == nil else { return }
            body.expectedLength = size
            try record()
        }
    }

    /// Prepares for the whole file. A later download can use the validator to resume.
    func startAnew(validator: String?, size: Int?) throws(TeapotError) {
        // The record is removed first, so that a process that ends here leaves no partial file with a wrong record.
        forget()
        repeated = nil
        body = PartialBody(validator: validator, expectedLength: size)
        try TeapotError.naming(url) {
            try handle.truncate(atOffset: 0)
            try record()
        }
    }

    /// Writes the record, if the file can be resumed. A record that is cut off when the process ends is ignored.
    private func record() throws {
        guard let recordURL, let validator = body.validator else { return }
        unlink(recordURL.path)
        let file = try FileHandle.open(recordURL, O_WRONLY | O_CREAT | O_NOFOLLOW | O_EXCL)
        let record = Record(source: source, validator: validator, size: body.expectedLength)
        try file.write(contentsOf: JSONEncoder().encode(record))
    }

    private func removeRecord() {
        isResumable = false
        if let recordURL { unlink(recordURL.path) }
    }

    /// Forgets the existing bytes, which belong to another file, so that the whole file is requested.
    func forget() {
        removeRecord()
        body = PartialBody()
    }

    /// Whether a piece can be appended. The rest must begin with the byte that was requested again.
    func isContinued(by piece: Data) -> Bool {
        guard let repeated, let first = piece.first else { return true }
        return repeated.first == first
    }

    func append(_ piece: Data) throws(TeapotError) {
        guard !piece.isEmpty else { return }
        repeated = nil
        try TeapotError.naming(url) { try handle.write(contentsOf: piece) }
        body.length += piece.count
        isResumable = recordURL != nil && body.validator != nil
    }

    /// Moves the file into place. A symbolic link there is replaced, not followed. The file stays locked until then, so that nobody writes
    /// to the complete file. The record is removed first, so that the next download does not use it. The name must belong to the written
    /// file both before and after the move, because another process with access to the directory may have replaced it.
    /// - Throws: `fileError` if it cannot be moved, or if another file has its name.
    func move(to target: URL, replacesExisting: Bool) throws(TeapotError) {
        removeRecord()
        guard isFile(at: url) else { throw .fileError(url, "it was replaced or removed while it was being written") }
        if replacesExisting {
            if let permissions = Self.permissions(of: target) {
                guard fchmod(handle.fileDescriptor, permissions) == 0 else { throw .fileError(url, errno: errno) }
            }
            guard rename(url.path, target.path) == 0 else { throw .fileError(target, errno: errno) }
        } else {
            // Unlike a rename, a link never replaces a file. Not every file system supports links.
            switch link(url.path, target.path) == 0 ? 0 : errno {
            case 0: unlink(url.path)
            case EEXIST: throw .fileError(target, "it exists")
            default: try TeapotError.naming(url) { try FileManager.default.moveItem(at: url, to: target) }
            }
        }
        // The next download may have replaced it already, so that the written file has no name any more.
        guard isFile(at: target) || handle.status?.st_nlink == 0 else {
            throw .fileError(target, "another file was put in its place")
        }
        try? handle.close()
    }

    /// Whether a name belongs to the written file, and not to another file or a link.
    private func isFile(at url: URL) -> Bool {
        var named = stat()
        guard let own = handle.status, lstat(url.path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }

    /// Closes the file, and removes it unless a later download can resume it. A status of 416 says that the requested part does not
    /// exist, so that the file belongs to another version.
    func close(after status: Int?) {
        if status == 416 || !isResumable {
            removeRecord()
            if isFile(at: url) { unlink(url.path) }
        }
        // Closing does not unlock the file if a process that is being started has a copy of the descriptor.
        flock(handle.fileDescriptor, LOCK_UN)
        try? handle.close()
    }
}
