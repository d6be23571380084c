public import Foundation

extension Teapot {
    /// The path of a request below its base URL. In a literal, an interpolated value is one segment (RFC 3986, section 3.3):
    ///
    /// ```swift
    /// let note = try await teapot.get("users/\(name)/notes/\(id)", as: Note.self)
    /// ```
    ///
    /// The other parts of a literal are as they are written: a query, an escape, an absolute URL of the same origin. An interpolated value
    /// is encoded but for unreserved characters: with the name `a/b?c`, the path is `users/a%2Fb%3Fc/notes/1`. A value is
    /// `LosslessStringConvertible`, as text and numbers are, a `UUID`, or of a type whose raw value is text or a number; an optional does
    /// not compile. After a `?` a value is a part of the query.
    ///
    /// If a value is empty, `.` or `..`, which would name another resource, the call fails with `invalidRequestPath` before anything is
    /// sent. A value also makes it fail if it has a NUL, or would climb above the base URL on a server that decodes `%2F` before it splits
    /// the path, such as `../../..`. Such a server can read `../x` as another resource below the base URL.
    ///
    /// `"\(raw: text)"` puts text in as it is, and ``init(_:)`` takes a whole text as it is: both are for text that your code or the server
    /// wrote, and never a user.
    /// A path that is made beforehand is written with its type, as `let path: Teapot.Path = "users/\(name)"`.
    public struct Path: Sendable, Equatable, ExpressibleByStringInterpolation, CustomStringConvertible {
        /// The path as written, with its values encoded. A value for which a request fails ends with an invalid `%00`.
        public let text: String
        /// Why no request can have the path.
        private(set) var fault: String?

        /// Makes a path of text that is used as it is: it may have several segments, a query, or be an absolute URL of the same origin.
        ///
        /// In `Teapot.Path("users/\(id)")` and `"users/\(id)" as Teapot.Path` the literal is a path, and the value a segment. In a `String`,
        /// and in `.init("users/\(id)")`, it is not.
        public init(_ text: String) { self.text = text }

        /// Makes a path of segments, each as an interpolated value: of `["files", "a/b"]`, it is `files/a%2Fb`. Without
        /// a segment, the call fails with `invalidRequestPath`.
        public init(segments: some Sequence<String>) {
            var path = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
            for segment in segments {
                if !path.text.isEmpty { path.appendLiteral("/") }
                path.append(segment)
            }
            if path.text.isEmpty { path.append("") }
            self.init(stringInterpolation: path)
        }

        /// Makes a path of a literal without values.
        public init(stringLiteral text: String) { self.init(text) }

        /// Makes a path of a literal with values.
        public init(stringInterpolation path: StringInterpolation) {
            self.init(path.text)
            fault = path.fault
        }

        /// The text, secrets of ``SecretPolicy/standard`` redacted.
        public var description: String { SecretPolicy.standard.redacted(line: text) }
    }
}

extension Teapot.Path {
    /// The parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var fault: String?

        /// Makes a literal without parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Adds text as it is written.
        public mutating func appendLiteral(_ literal: String) { text += literal }
        /// Adds a value as one segment.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) { append(value.description) }
        /// Adds a value as one segment.
        public mutating func appendInterpolation(_ value: UUID) { append(value.uuidString) }
        /// Adds a raw value as one segment.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible { append(value.rawValue.description) }
        /// Adds a raw value as one segment. Without this, the two above would be ambiguous for a type that is both.
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible { append(value.rawValue.description) }
        /// Adds text as it is, such as a path of several segments.
        public mutating func appendInterpolation(raw text: String) { self.text += text }

        /// Adds another path as it is.
        public mutating func appendInterpolation(_ path: Teapot.Path) {
            text += path.text
            fault = fault ?? path.fault
        }

        fileprivate mutating func append(_ value: String) {
            text += PercentEncoding.encodeAll(value)
            guard ["", ".", ".."].contains(value), !text.contains("?") else { return }
            fault = "a value in the path is \"\(value)\", which as a segment would name another resource"
            text += "%00"
        }
    }
}
