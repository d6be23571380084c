import Teapot

/// A recorded body.
enum RecordedBody: Sendable {
    case bytes(Data)
    /// The body was left out: its number of bytes, and the reason.
    case leftOut(size: Int, reason: String)

    mutating func append(_ piece: Data) {
        guard case .bytes(var data) = self else { return }
        // The data has one owner only, so that its bytes are not copied each time.
        self = .bytes(Data())
        data.append(piece)
        self = .bytes(data)
    }

    /// The body without secrets.
    func redacted(_ redactor: inout RecordingRedactor, mediaType: String) -> RecordedBody {
        guard case .bytes(let data) = self, !data.isEmpty else { return self }
        guard let (mark, text) = Self.text(of: data) else {
            let reason = redactor.reasonToLeaveOut(data, mediaType: mediaType)
            return reason.map { .leftOut(size: data.count, reason: $0.rawValue) } ?? self
        }
        do {
            let redacted = try redactor.body(text, mediaType: mediaType)
            return redacted == text ? self : .bytes(mark + redacted.encoded)
        } catch {
            return .leftOut(size: data.count, reason: error.rawValue)
        }
    }

    /// The body in the form of an archive.
    func written(mediaType: String) -> HARBody {
        switch self {
        case .leftOut(let size, let reason):
            HARBody(size: size, mimeType: mediaType, comment: "left out: \(reason)")
        case .bytes(let data):
            // JSON readers may drop a byte order mark at the beginning of a text. Text in an archive is replayed in its charset.
            if let (mark, text) = Self.text(of: data), mark.isEmpty,
                Data.areSame(text.data(in: MediaType(mediaType)), data)
            {
                HARBody(size: data.count, mimeType: mediaType, text: text)
            } else {
                HARBody(size: data.count, mimeType: mediaType, text: data.base64EncodedString(), encoding: "base64")
            }
        }
    }

    /// The UTF-8 text, and a byte order mark before it; `nil` for other bytes, and if there is a NUL.
    private static func text(of data: Data) -> (mark: Data, text: String)? {
        // `Data.contains` takes long in debug builds.
        let hasNUL = data.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { memchr($0, 0, bytes.count) } != nil }
        guard !hasNUL else { return nil }
        let mark = Data([0xEF, 0xBB, 0xBF])
        let hasMark = Data.areSame(data.prefix(mark.count), mark)
        let content = hasMark ? data.dropFirst(mark.count) : data
        guard let text = String(data: content, encoding: .utf8), Data.areSame(text.encoded, content) else { return nil }
        return (hasMark ? mark : Data(), text)
    }
}
