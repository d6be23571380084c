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

    /// Makes a form of type `application/x-www-form-urlencoded` from query items, encoded as in ``init(form:)-(KeyValuePairs<_,_>)``.
    ///
    /// - Parameter items: Names and values. They keep their order, and names may come more than once. An item without a value has
    ///   an empty one.
    public init(form items: [URLQueryItem]) {
        let pairs = items.map { item in
            PercentEncoding.encodeForm(item.name) + "=" + PercentEncoding.encodeForm(item.value ?? "")
        }
        self.init(Data(pairs.joined(separator: "&").utf8), contentType: "application/x-www-form-urlencoded")
    }

    /// Makes a form of type `application/x-www-form-urlencoded` from a value that is encoded as a flat JSON object.
    ///
    /// The fields are sorted by name. `nil` is left out, an array repeats its name, and numbers, `true` and `false` stand as in
    /// JSON.
    ///
    /// - Parameters:
    ///   - value: What to encode.
    ///   - encoder: Says what the names, dates and data look like; a `JSONEncoder` of Foundation's defaults if `nil`.
    /// - Throws: `invalidPayload` when it cannot be encoded, or has objects or arrays within others, saying where.
    public init(formEncoding value: some Encodable, using encoder: JSONEncoder? = nil) throws(TeapotError) {
        let fields: [String: FormValue]
        do {
            let data = try (encoder ?? .standard).encode(value)
            guard let object = try? JSONDecoder().decode([String: FormValue].self, from: data) else {
                throw TeapotError.invalidPayload(reason: "$: only a value that is encoded as an object can be a form")
            }
            fields = object
        } catch {
            throw error as? TeapotError ?? .invalidPayload(error)
        }
        var items: [URLQueryItem] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            for (index, value) in value.elements.enumerated() {
                switch value {
                case .text(let text): items.append(URLQueryItem(name: name, value: text))
                case .null: continue
                case .array, .object:
                    let place = "$\(name.asPlace)" + (fields[name]?.isArray == true ? "[\(index)]" : "")
                    throw .invalidPayload(reason: "\(place): a form cannot hold a nested object or array")
                }
            }
        }
        self.init(form: items)
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
