public import Teapot

/// The bodies of declared endpoints, beside a dictionary literal.
extension RequestParameter {
    /// A value as JSON: `body: .json(note)`. The encoder should be like the client's; without one, a new `JSONEncoder` is used. Throws
    /// `invalidPayload`, with the place, if the value cannot be encoded.
    public static func json(_ value: some Encodable & Sendable, using encoder: JSONEncoder? = nil) throws(TeapotError)
        -> Self
    {
        .data(try Teapot.Request.Body.json(value).encoded(using: encoder).data ?? Data())
    }

    /// A form, whose fields may be in any order: `body: .form(["grant_type": "client_credentials"])`.
    public static func form(_ items: Teapot.QueryItems) -> Self {
        .data(Teapot.Request.Body.form(items).data ?? Data())
    }
}
