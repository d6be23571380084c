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
    private var validator: String?
    /// In bytes.
    private(set) var size = 0

    /// Makes an empty file for one download, with a name of its own.
    init(beside target: URL) throws(TeapotError) {
        url = target.deletingLastPathComponent().appending(path: ".teapot-\(UUID().uuidString).partial")
        handle = try Self.open(url, O_EXCL)
        recordURL = nil
        source = ""
    }

    /// Opens what an earlier download of the same source has left, or makes an empty file.
    init(resuming target: URL, from source: String) throws(TeapotError) {
        url = target.appendingPathExtension("partial")
        let recordURL = url.appendingPathExtension("json")
        self.recordURL = recordURL
        self.source = source
        handle = try Self.open(url, 0)
        var status = stat()
        // Two downloads must not write to one file; nor may it be one that has another name, too, or none any more.
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0, fstat(handle.fileDescriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1
        else { throw .fileError(url, "another download is using it") }
        let record = (try? Data(contentsOf: recordURL)).flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
        if let record, record.source == source, status.st_size > 0 {
            validator = record.validator
            size = Int(status.st_size)
        }
    }

    private static func open(_ url: URL, _ flags: Int32) throws(TeapotError) -> FileHandle {
        let descriptor = Foundation.open(
            url.path,
            O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | flags,
            0o666
        )
        guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

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

    /// The server sends the rest.
    func goOn() throws(TeapotError) {
        size = resumeOffset
        try access { try handle.truncate(atOffset: UInt64(size)) }
    }

    /// The server sends the whole.
    func startAnew(validator: String?) throws(TeapotError) {
        // In this order, a process that ends here leaves no part with a wrong record.
        forgetRecord()
        try access { try handle.truncate(atOffset: 0) }
        size = 0
        guard let recordURL, let validator else { return }
        try access {
            try JSONEncoder().encode(Record(source: source, validator: validator)).write(
                to: recordURL,
                options: .atomic
            )
        }
        self.validator = validator
    }

    func cannotBeResumed() {
        forgetRecord()
    }

    // MARK: - Writing

    func append(_ piece: Data) throws(TeapotError) {
        try access { try handle.write(contentsOf: piece) }
        size += piece.count
    }

    /// Closes the file and moves it into place. A symbolic link there is replaced, not followed.
    func move(to target: URL, replacesExisting: Bool) throws(TeapotError) {
        try access { try handle.close() }
        if replacesExisting {
            guard rename(url.path, target.path) == 0 else { throw .fileError(target, errno: errno) }
        } else {
            try access { try FileManager.default.moveItem(at: url, to: target) }
        }
        forgetRecord()
    }

    /// Closes the file, which stays only if it can be gone on with.
    func close() {
        if validator == nil || !isContinued {
            forgetRecord()
            unlink(url.path)
        }
        try? handle.close()
    }

    private func forgetRecord() {
        validator = nil
        if let recordURL { unlink(recordURL.path) }
    }

    private func access(_ body: () throws -> Void) throws(TeapotError) {
        do {
            try body()
        } catch {
            throw .fileError(url, "\(error)")
        }
    }
}
