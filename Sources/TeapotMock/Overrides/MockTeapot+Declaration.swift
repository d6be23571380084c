extension MockTeapot {
    /// A declared endpoint, and the place of its declaration.
    public struct Declaration: Sendable, Hashable, CustomStringConvertible {
        /// The place of a declaration. A later version may add cases: a `switch` needs `@unknown default`.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Place: Sendable, Hashable {
            /// In code: the values of `#fileID`, `#filePath`, `#line` and `#column`.
            case code(fileID: String, filePath: String, line: Int, column: Int)
            /// In a recording: the name of the file, and the number of the entry, from 1 on.
            case recording(file: String, entry: Int)
        }

        /// The declared request, such as `GET users/:id?page=2`, secrets redacted.
        public let endpoint: String
        /// The place of the declaration.
        public let place: Place

        /// The endpoint and place: `GET users/:id (ClientTests/UserTests.swift:12:8)`.
        public var description: String {
            switch place {
            case .code(let fileID, _, let line, let column): "\(endpoint) (\(fileID):\(line):\(column))"
            case .recording(let file, let entry): "\(endpoint) (\(file), entry \(entry))"
            }
        }
    }
}
