internal import Foundation

extension MultipartFormData {
    /// One field or file.
    struct Part: Sendable {
        enum Content: Sendable {
            /// Goes without a content type.
            case field(Data)
            case data(Data)
            case file(URL)
        }

        let name: String
        var filename: String?
        /// `nil` where the first bytes decide.
        var contentType: String?
        let content: Content

        /// The header fields and the empty line behind them.
        ///
        /// - Parameter beginning: The first bytes of the content.
        /// - Returns: Lines that end in CR LF.
        func head(beginning: Data) -> Data {
            var head = "Content-Disposition: form-data; name=\"\(Self.escape(name))\""
            if let filename { head += "; filename=\"\(Self.escape(filename))\"" }
            if let type = shownContentType(beginning) { head += "\r\nContent-Type: \(type)" }
            return Data((head + "\r\n\r\n").utf8)
        }

        var isOnDisk: Bool {
            if case .file = content { true } else { false }
        }

        /// The name as it stands in an error, on one line.
        var shownName: String { Self.escape(name).onOneLine }

        private func shownContentType(_ beginning: Data) -> String? {
            if case .field = content { return nil }
            return contentType ?? ImageFormat(signatureOf: beginning)?.mediaType ?? "application/octet-stream"
        }

        /// By scalars: CR LF is one `Character`, and so is a quotation mark with a combining character behind it.
        private static func escape(_ text: String) -> String {
            text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
        }

        /// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data; a NUL besides, at
        /// which some servers end a name.
        private static let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A", "\0": "%00"]
    }
}
