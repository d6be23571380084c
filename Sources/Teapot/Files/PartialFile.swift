internal import Foundation

/// The file that a download is written to until it is complete: one of its own, or one that a later download goes on with.
///
/// What can be gone on with lies beside its place as `NAME.partial`, together with `NAME.partial.json`, which says where it
/// comes from and how to ask whether it is still the same there. Nobody else can write to it meanwhile.
///
/// Not thread-safe: it is used under the lock of the one who has it.
final class PartialFile {
    /// What lies beside a partial file.
    private struct Record: Codable {
        /// The URL, secrets redacted.
        let source: String
        /// See ``ResumeValidator``.
        let validator: String
    }

    private let url: URL
    private let handle: FileHandle
    /// Where the record is; `nil` if the file is only for this download.
    private let recordURL: URL?
    private let source: String
    /// That of what was found, or of what there is since.
    private var validator: String?
    /// In bytes, of what was found and can be gone on with, or of what there is since.
    private(set) var size = 0
    /// Whether there is a record that fits what is written.
    private var isRecorded = false
    /// Whether a later download may go on with the file as it is.
    private var isOfUse = false

    /// Makes an empty file for one download, with a name of its own.
    init(beside target: URL) throws(TeapotError) {
        url = target.deletingLastPathComponent().appending(path: ".teapot-\(UUID().uuidString).partial")
        handle = try .open(url, O_WRONLY | O_CREAT | O_NOFOLLOW | O_EXCL, mode: Self.mode(for: target))
        recordURL = nil
        source = ""
    }

    /// Opens what an earlier download has left, or makes an empty file.
    ///
    /// - Parameters:
    ///   - target: The place of the file when it is complete.
    ///   - source: Where it comes from. What came from elsewhere is not gone on with.
    /// - Throws: `fileError` when it cannot be opened, or is in use.
    init(resuming target: URL, from source: String) throws(TeapotError) {
        url = target.appendingPathExtension("partial")
        let recordURL = url.appendingPathExtension("json")
        self.recordURL = recordURL
        self.source = source
        handle = try .open(url, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: Self.mode(for: target))
        // Two downloads must not write to one file.
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .fileError(url, "another download is using it") : .fileError(url, errno: errno)
        }
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0 else { throw .fileError(url, errno: errno) }
        // Between opening and locking, another download may have moved the file into place, or removed it.
        guard isFile(at: url) else { throw .fileError(url, "another download is using it") }
        // Another name would be written to, too.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw .fileError(url, "it is not a regular file, or it has another hard link")
        }
        // Its owner could read and change what is written to it.
        guard status.st_uid == geteuid() else { throw .fileError(url, "it belongs to another user") }
        // There may have been no private file to replace when it was made.
        if let permissions = Self.permissions(of: target) {
            guard fchmod(handle.fileDescriptor, permissions | 0o600) == 0 else { throw .fileError(url, errno: errno) }
        }
        isOfUse = status.st_size > 0
        if let record = Self.record(at: recordURL), record.source == source, ResumeValidator.isOne(record.validator) {
            validator = record.validator
            size = Int(status.st_size)
        }
    }

    /// Reads what lies beside a partial file; not what somebody else put there, or a link to it.
    private static func record(at url: URL) -> Record? {
        guard let handle = try? FileHandle.open(url, O_RDONLY | O_NOFOLLOW) else { return nil }
        var status = stat()
        guard
            fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= maximumRecordSize, let data = try? handle.read(upToCount: maximumRecordSize)
        else { return nil }
        return try? JSONDecoder().decode(Record.self, from: data)
    }

    /// In bytes.
    private static let maximumRecordSize = 262_144

    /// The permissions of a file that is to be replaced, which those who may not read it cannot read meanwhile, either;
    /// `nil` when there is none. What another user lets others write is theirs no longer.
    private static func permissions(of target: URL) -> mode_t? {
        var status = stat()
        guard lstat(target.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_mode & (status.st_uid == geteuid() ? 0o777 : 0o755)
    }

    /// How a partial file is made: its owner goes on writing to it, whatever it replaces.
    private static func mode(for target: URL) -> mode_t { permissions(of: target).map { $0 | 0o600 } ?? 0o666 }

    // MARK: - Going on

    /// Whether there is something to go on with.
    var isContinued: Bool { size > 0 }

    /// Where to go on. The last byte is asked for again, so that of a file that is already complete there is a range to ask
    /// for.
    var resumeOffset: Int { max(size - 1, 0) }

    /// RFC 9110, sections 13.1.5 and 14.2. A compressed body cannot be cut at the bytes that come out of it.
    var requestFields: [String: String] {
        var fields = ["Accept-Encoding": "identity"]
        if let validator, isContinued {
            fields["Range"] = "bytes=\(resumeOffset)-"
            fields["If-Range"] = validator
        }
        return fields
    }

    /// Whether the rest that the server sends is of the file that the part is of (RFC 9110, section 15.3.7.3). A server that has
    /// an entity tag must send it with the rest, but need not repeat a date (section 15.3.7).
    func isOfSameFile(_ headers: HeaderFields) -> Bool {
        guard let validator else { return false }
        if headers["ETag"] == validator || headers["Last-Modified"] == validator { return true }
        return headers["ETag"] == nil && headers["Last-Modified"] == nil && !ResumeValidator.isEntityTag(validator)
    }

    /// The server sends the rest.
    func goOn() throws(TeapotError) {
        size = resumeOffset
        (isRecorded, isOfUse) = (true, size > 0)
        try access { try handle.truncate(atOffset: UInt64(size)) }
    }

    /// The server sends the whole. A later download could go on by the validator.
    func startAnew(validator: String?) throws(TeapotError) {
        // In this order, a process that ends here leaves no part with a wrong record.
        cannotBeResumed()
        size = 0
        self.validator = validator
        try access {
            try handle.truncate(atOffset: 0)
            guard let recordURL, let validator else { return }
            // One that is cut off, as the process ends, is none.
            let record = try FileHandle.open(recordURL, O_WRONLY | O_CREAT | O_NOFOLLOW | O_EXCL)
            try record.write(contentsOf: JSONEncoder().encode(Record(source: source, validator: validator)))
            isRecorded = true
        }
    }

    /// What is there is no part of what is asked for.
    func cannotBeResumed() {
        (isRecorded, isOfUse) = (false, false)
        if let recordURL { unlink(recordURL.path) }
    }

    /// What is there is of another file: the whole is to be asked for.
    func forget() {
        cannotBeResumed()
        (size, validator) = (0, nil)
    }

    // MARK: - Writing

    func append(_ piece: Data) throws(TeapotError) {
        try access { try handle.write(contentsOf: piece) }
        size += piece.count
        isOfUse = isRecorded
    }

    /// Moves the file into place. A symbolic link there is replaced, not followed.
    ///
    /// The file is locked until it is there: nobody else may write to what is complete. The record goes before, so that it
    /// is not that of the next download.
    ///
    /// The name must still be that of the file that was written, before and after: what somebody else has put there, who may
    /// write to the directory, is no download.
    ///
    /// - Throws: `fileError` when it cannot be moved, or when another file has its name.
    func move(to target: URL, replacesExisting: Bool) throws(TeapotError) {
        cannotBeResumed()
        guard isFile(at: url) else { throw .fileError(url, "it was replaced or removed while it was being written") }
        if replacesExisting {
            if let permissions = Self.permissions(of: target) {
                guard fchmod(handle.fileDescriptor, permissions) == 0 else { throw .fileError(url, errno: errno) }
            }
            guard rename(url.path, target.path) == 0 else { throw .fileError(target, errno: errno) }
        } else {
            // Unlike a rename, a link replaces nothing. Not every file system has them.
            switch link(url.path, target.path) == 0 ? 0 : errno {
            case 0: unlink(url.path)
            case EEXIST: throw .fileError(target, "it exists")
            default: try access { try FileManager.default.moveItem(at: url, to: target) }
            }
        }
        guard isFile(at: target) || isGone else { throw .fileError(target, "another file was put in its place") }
        try? handle.close()
    }

    /// Whether the file that is written has no name any more: the next download may have replaced it already.
    private var isGone: Bool {
        var status = stat()
        return fstat(handle.fileDescriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Whether a name is that of the file that is written, and not of another, or of a link.
    private func isFile(at url: URL) -> Bool {
        var (own, named) = (stat(), stat())
        return fstat(handle.fileDescriptor, &own) == 0 && lstat(url.path, &named) == 0
            && own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }

    /// Closes the file, which stays only if a later download may go on with it.
    func close() {
        if !isOfUse {
            cannotBeResumed()
            if isFile(at: url) { unlink(url.path) }
        }
        try? handle.close()
    }

    private func access(_ body: () throws -> Void) throws(TeapotError) {
        try TeapotError.naming(url, body)
    }
}
