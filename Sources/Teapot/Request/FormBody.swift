public import Foundation

extension Teapot.Request.Body {
    /// Makes a form of type `application/x-www-form-urlencoded` from pairs.
    ///
    /// ```swift
    /// let body = Teapot.Request.Body(form: ["grant_type": "client_credentials", "scope": "notes"])
    /// ```
    ///
    /// Text is sent as UTF-8, encoded as the URL standard says (https://url.spec.whatwg.org/#urlencoded-serializing).
    ///
    /// - Parameter fields: Names and values. They keep their order, and names may come more than once.
    public init(form fields: KeyValuePairs<String, String>) {
        self.init(form: fields.map { URLQueryItem(name: $0.key, value: $0.value) })
    }

    /// Makes a form of type `application/x-www-form-urlencoded` from query items, encoded in the same way as pairs.
    ///
    /// - Parameter items: Names and values. They keep their order, and names may come more than once. An item without a value has
    ///   an empty one.
    public init(form items: [URLQueryItem]) {
        self.init(Self.form(of: items), contentType: Self.form)
    }

    /// Makes a form of type `application/x-www-form-urlencoded` from a value that is encoded as a flat JSON object.
    ///
    /// The fields are sorted by name. `nil` is left out, an array repeats its name, and numbers, `true` and `false` stand as in
    /// JSON. The value is encoded when the request is sent. The call fails with `invalidPayload`, saying where, if it cannot be, or
    /// if it has objects or arrays within others.
    ///
    /// - Parameters:
    ///   - value: What to encode.
    ///   - encoder: Says what names, dates and data look like; that of the ``Teapot/Teapot`` which sends the request if `nil`.
    public init(formEncoding value: some Encodable & Sendable, using encoder: JSONEncoder? = nil) {
        self.init(.value(value, encoder), contentType: Self.form)
    }

    static let form = "application/x-www-form-urlencoded"

    /// The form of what a value was encoded as.
    ///
    /// - Throws: What it cannot hold, and where.
    static func form(ofJSON data: Data) throws(FailureReason) -> Data {
        guard let fields = try? JSONDecoder().decode([String: FormValue].self, from: data) else {
            throw FailureReason("$: only a value that encodes as an object can be sent as a form")
        }
        var items: [URLQueryItem] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            for (index, element) in value.elements.enumerated() {
                switch element {
                case .text(let text): items.append(URLQueryItem(name: name, value: text))
                case .null: continue
                case .array, .object:
                    let place = "$\(name.asPlace)" + (value.isArray ? "[\(index)]" : "")
                    throw FailureReason("\(place): a form cannot hold a nested object or array")
                }
            }
        }
        return form(of: items)
    }

    private static func form(of items: [URLQueryItem]) -> Data {
        let pairs = items.map { item in
            PercentEncoding.encodeForm(item.name) + "=" + PercentEncoding.encodeForm(item.value ?? "")
        }
        return Data(pairs.joined(separator: "&").utf8)
    }
}

/// A JSON value in a form.
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

    var isArray: Bool {
        if case .array = self { true } else { false }
    }

    /// The values that stand under one name.
    var elements: [FormValue] {
        if case .array(let elements) = self { elements } else { [self] }
    }
}
