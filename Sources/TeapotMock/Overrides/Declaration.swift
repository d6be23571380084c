extension MockTeapot {
    /// An endpoint that was declared, and where.
    public struct Declaration: Sendable, Hashable, CustomStringConvertible {
        /// Where an endpoint was declared.
        public enum Place: Sendable, Hashable {
            /// In code: what `#fileID`, `#filePath`, `#line` and `#column` were.
            case code(fileID: String, filePath: String, line: Int, column: Int)
            /// In a recording: the name of the file, and which of its entries, from 1 on.
            case recording(file: String, entry: Int)
        }

        /// What is answered, such as `GET users/:id?page=2`, secrets redacted.
        public let endpoint: String
        /// Where it was declared.
        public let place: Place

        /// Endpoint and place: `GET users/:id (ClientTests/UserTests.swift:12:8)`.
        public var description: String { "\(endpoint) (\(place.text))" }
    }
}

extension MockTeapot.Declaration.Place {
    fileprivate var text: String {
        switch self {
        case .code(let fileID, _, let line, let column): "\(fileID):\(line):\(column)"
        case .recording(let file, let entry): "\(file), entry \(entry)"
        }
    }
}
