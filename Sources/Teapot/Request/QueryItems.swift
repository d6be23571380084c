public import Foundation

extension Teapot {
    /// Names and values in the order in which they are sent: the query of a request, the fields of a form, or the query that a mock's
    /// endpoint must have.
    ///
    /// ```swift
    /// try await teapot.get("issues", query: ["state": "open", "label": "tea", "label": "pot", "page": 2])
    /// ```
    ///
    /// A name can repeat, and `nil` omits an item: with an optional `since`, `["since": since]` sends a value or nothing. A name
    /// without a value, as in `?archived`, is `[URLQueryItem(name: "archived", value: nil)]`. An array of `URLQueryItem` is converted by
    /// ``init(_:)``; written in place, it needs no conversion. Names and values are plain text, which Teapot encodes.
    public struct QueryItems: Sendable, Equatable {
        /// The items, in the order in which they are sent.
        public var items: [URLQueryItem]

        /// The items of a sequence, in its order.
        public init(_ items: some Sequence<URLQueryItem>) { self.items = Array(items) }
    }
}

extension Teapot.QueryItems: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// The pairs of a dictionary literal, in its order.
    ///
    /// - Parameter elements: Names, which can repeat, and values: text, or what is written as text without loss, such as an `Int` or
    ///   a `Bool`. `nil` omits the item.
    public init(dictionaryLiteral elements: (String, (any LosslessStringConvertible)?)...) {
        items = elements.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0.description) } }
    }

    /// The items of an array literal, in its order.
    public init(arrayLiteral elements: URLQueryItem...) { items = elements }
}

extension Teapot.QueryItems: CustomStringConvertible {
    /// The items as in a URL but not encoded, on one line, secrets of ``SecretPolicy/standard`` redacted.
    public var description: String { text(.standard) }

    package func text(_ secrets: SecretPolicy) -> String {
        items.map { item in
            item.name + (item.value.map { "=" + secrets.redacted($0, named: item.name, in: .item) } ?? "")
        }
        .joined(separator: "&").onOneLine
    }
}
