import Foundation

extension Teapot.Request.Body {
    /// A form of type `application/x-www-form-urlencoded`: `.form(["name": "Tea & Pot", "page": 2])`.
    /// Text is sent as UTF-8, encoded by the URL standard (https://url.spec.whatwg.org/#urlencoded-serializing). Names
    /// and values keep their order, and names can repeat. An item without a value has an empty one.
    public static func form(_ items: Teapot.QueryItems) -> Self {
        let items = Teapot.QueryItems(items.items.map { URLQueryItem(name: $0.name, value: $0.value ?? "") })
        return Self(Data(items.joined { part, _ in PercentEncoding.encodeForm(part) }.utf8), contentType: form)
    }

    /// A form of type `application/x-www-form-urlencoded` from a value that is encoded as a flat JSON object.
    ///
    /// The fields are sorted by name. `nil` is omitted, an array repeats its name, and numbers, `true` and `false` are
    /// written as in JSON. ``Teapot/Request/encoder`` encodes names, dates and data when the request is sent. If that
    /// fails, or the value has nested objects or arrays, the call fails with `invalidPayload` and the place.
    public static func form(encoding value: any Encodable & Sendable) -> Self { Self(.value(value), contentType: form) }

    package static let form = "application/x-www-form-urlencoded"

    /// The fields of an encoded value. Throws the reason, with the place, if a form cannot represent the value.
    static func items(ofJSON data: Data) throws(FailureReason) -> [URLQueryItem] {
        guard let fields = try? JSONDecoder().decode([String: FormValue].self, from: data) else {
            throw FailureReason("$: only a value that encodes as an object has names and values")
        }
        var items: [URLQueryItem] = []
        for (name, value) in fields.sortedByKey {
            let elements = if case .array(let elements) = value { elements } else { [value] }
            for (index, element) in elements.enumerated() {
                switch element {
                case .text(let text): items.append(URLQueryItem(name: name, value: text))
                case .null: continue
                case .array, .object:
                    var place = "$" + name.asPlace
                    if case .array = value { place += "[\(index)]" }
                    throw FailureReason(place + ": an object or array cannot be a value in a form or a query")
                }
            }
        }
        return items
    }
}

private enum FormValue: Decodable {
    case text(String)
    case array([FormValue])
    case null
    case object

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .text("\(flag)")
        } else if let number = try? container.decode(Decimal.self) {
            self = .text("\(number)")
        } else if let number = try? container.decode(Double.self) {
            self = .text("\(number)")
        } else {
            self = (try? container.decode([FormValue].self)).map(FormValue.array) ?? .object
        }
    }
}
