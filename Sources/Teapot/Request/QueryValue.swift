public import Foundation

extension Teapot {
    /// A value of an item in a query or a form: text, a number, a Boolean value, a `UUID`, or an array of these, which repeats the name.
    /// The types of numbers are `Int`, `UInt`, those of 32 and 64 bits, `Double` and `Decimal`.
    ///
    /// An enumeration with a raw value is one if it says that it conforms:
    ///
    /// ```swift
    /// enum State: String, Teapot.QueryValue { case open, closed }
    /// let issues = try await teapot.get("issues", query: ["state": [State.open, .closed], "page": 2])
    /// ```
    public protocol QueryValue {
        /// The texts, each for an item of its own; not encoded.
        var queryTexts: [String] { get }
    }
}

extension Teapot.QueryValue where Self: CustomStringConvertible {
    /// The description, which for numbers has a point, and for a `UUID` is uppercase, whatever the locale.
    public var queryTexts: [String] { [description] }
}

extension Teapot.QueryValue where Self: RawRepresentable, RawValue: Teapot.QueryValue {
    /// The raw value as text.
    public var queryTexts: [String] { rawValue.queryTexts }
}

extension Teapot.QueryValue where Self: RawRepresentable & CustomStringConvertible, RawValue: Teapot.QueryValue {
    /// The raw value as text. Without this, the two above would be ambiguous for a type that is both.
    public var queryTexts: [String] { rawValue.queryTexts }
}

extension String: Teapot.QueryValue {}
extension Substring: Teapot.QueryValue {}
extension Bool: Teapot.QueryValue {}
extension Int: Teapot.QueryValue {}
extension Int32: Teapot.QueryValue {}
extension Int64: Teapot.QueryValue {}
extension UInt: Teapot.QueryValue {}
extension UInt32: Teapot.QueryValue {}
extension UInt64: Teapot.QueryValue {}
extension Double: Teapot.QueryValue {}
extension Decimal: Teapot.QueryValue {}
extension UUID: Teapot.QueryValue {}

extension Array: Teapot.QueryValue where Element: Teapot.QueryValue {
    /// The texts of all elements.
    public var queryTexts: [String] { flatMap(\.queryTexts) }
}
