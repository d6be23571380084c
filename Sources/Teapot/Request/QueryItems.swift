public import Foundation

extension Teapot {
    /// Names and values in the order in which they are sent: the query of a request, the fields of a form, or the query that a mock's
    /// endpoint must have.
    ///
    /// ```swift
    /// try await teapot.get("issues", query: ["state": "open", "label": "tea", "label": "pot", "page": 2])
    /// ```
    ///
    /// A value is a ``Teapot/QueryValue``. A name can repeat, as it does for an array, and `nil` omits an item: with an optional `since`,
    /// `["since": since]` sends a value or nothing. A date says how it is written: `["since": date.formatted(.iso8601)]`. A name
    /// without a value, as in `?archived`, is `[URLQueryItem(name: "archived", value: nil)]`. A variable that is a dictionary, or an array
    /// of `URLQueryItem`, is converted: ``init(encoding:using:)``, ``init(_:)``. Names and values are plain text, which Teapot encodes.
    public struct QueryItems: Sendable, Equatable, CustomStringConvertible {
        /// The items, in the order in which they are sent.
        public var items: [URLQueryItem]

        /// The items of a sequence, in its order.
        public init(_ items: some Sequence<URLQueryItem>) { self.items = Array(items) }

        /// The members of a value that is encoded as a flat JSON object, by the rules of ``Teapot/Request/Body/form(encoding:)``.
        ///
        /// The encoder encodes names, dates and data, as ``Teapot/Teapot/encoder`` does for a body. The default is a
        /// new `JSONEncoder`, by which a date is a number of seconds since 2001. Throws `invalidPayload`, with the
        /// place, if the value cannot be encoded, or has nested objects or arrays.
        public init(encoding value: some Encodable, using encoder: JSONEncoder? = nil) throws(TeapotError) {
            do {
                items = try Request.Body.items(ofJSON: (encoder ?? .standard).encode(value))
            } catch { throw .invalidPayload(error, isJSON: false) }
        }

        /// The items as in a URL, each name and value written by a function that also gets the name of a value.
        @inline(never) func joined(_ write: (_ part: String, _ name: String?) -> String) -> String {
            var joined = ""
            var separator = ""
            for item in items {
                joined += separator + write(item.name, nil)
                if let value = item.value { joined += "=" + write(value, item.name) }
                separator = "&"
            }
            return joined
        }

        /// The items as in a URL but not encoded, on one line, secrets of ``SecretPolicy/standard`` redacted.
        public var description: String { text(.standard) }

        package func text(_ secrets: SecretPolicy) -> String {
            joined { part, name in name.map { secrets.redacted(part, named: $0, in: .item) } ?? part }.onOneLine
        }
    }
}

extension Teapot.QueryItems: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// The names and values of a dictionary literal, in its order. Names can repeat; `nil` omits the item.
    public init(dictionaryLiteral elements: (String, (any Teapot.QueryValue)?)...) {
        items = []
        for (name, value) in elements {
            for text in value?.queryTexts ?? [] { items.append(URLQueryItem(name: name, value: text)) }
        }
    }

    /// The items of an array literal, in its order.
    public init(arrayLiteral elements: URLQueryItem...) { items = elements }
}
