internal import Foundation

extension MultipartFormData {
    /// Writes a file from its beginning; closes it when the value goes.
    struct FileWriter: ~Copyable {
        private let url: URL
        private let descriptor: Int32

        /// Opens a file that is there.
        init(_ url: URL) throws(TeapotError) {
            let descriptor = open(url.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
            self.url = url
            self.descriptor = descriptor
        }

        deinit {
            close(descriptor)
        }

        /// Writes all of the data, however much the system takes at a time.
        func append(_ data: Data) throws(TeapotError) {
            var rest = data[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                let code = errno
                guard count >= 0 || code == EINTR else { throw .fileError(url, errno: code) }
                rest = rest.dropFirst(max(count, 0))
            }
        }
    }
}
