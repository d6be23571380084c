import Teapot

/// The body of a request, or that of a response, decompressed.
struct HARBody: Equatable {
    /// In bytes. Over 0 without a text if the body was left out.
    var size = 0
    var mimeType: String
    var text: String?
    /// `base64` for a binary body.
    var encoding: String?
    /// The reason why the body was left out.
    var comment: String?
}

extension String {
    /// The text in the charset of a media type, in UTF-8 if that is not supported; `nil` if it has no such characters. As in browsers,
    /// `iso-8859-1` is `windows-1252` (Encoding standard, section 4.2).
    func data(in mediaType: MediaType) -> Data? {
        let encoding = mediaType.encoding ?? .utf8
        return data(using: encoding) ?? (encoding == .isoLatin1 ? data(using: .windowsCP1252) : nil)
    }
}

extension HARBody: Decodable {
    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: HARKey.self)
        size = body.lenient(.size) ?? 0
        mimeType = body.lenient(.mimeType) ?? ""
        text = try body.decodeIfPresent(String.self, forKey: .text)
        encoding =
            try body.decodeIfPresent(String.self, forKey: .encoding)
            ?? body.decodeIfPresent(String.self, forKey: .ownEncoding)
        comment = body.lenient(.comment)
    }

    /// The members to write that requests and responses share.
    func members(encodingKey: HARKey) -> [String: Any] {
        var members: [String: Any] = ["mimeType": mimeType]
        members.add(.text, text)
        members.add(encodingKey, encoding)
        members.add(.comment, comment)
        return members
    }
}
