import Foundation

extension Teapot {
    /// What all verbs take besides path, query and body.
    struct Options {
        let headerFields: [String: String]?
        let timeoutInterval: TimeInterval?
        let allowsCellular: Bool
        let isIdempotent: Bool?

        init(
            _ headerFields: [String: String]?,
            _ timeoutInterval: TimeInterval?,
            _ allowsCellular: Bool,
            _ isIdempotent: Bool? = nil
        ) {
            (self.headerFields, self.timeoutInterval) = (headerFields, timeoutInterval)
            (self.allowsCellular, self.isIdempotent) = (allowsCellular, isIdempotent)
        }
    }
}

extension Teapot.Request {
    /// The request of a verb.
    init(
        _ method: HTTPMethod,
        _ path: String,
        _ query: QueryItems,
        _ options: Teapot.Options,
        body: Body? = nil
    ) {
        self.init(
            method,
            path: path,
            query: query,
            headerFields: options.headerFields ?? [:],
            body: body,
            timeoutInterval: options.timeoutInterval,
            allowsCellular: options.allowsCellular,
            isIdempotent: options.isIdempotent
        )
    }

    /// The request of an async verb with a body.
    init(
        _ method: HTTPMethod,
        _ path: String,
        _ query: QueryItems,
        _ options: Teapot.Options,
        encoding value: (any Encodable & Sendable)?,
        _ encoder: JSONEncoder?
    ) {
        self.init(method, path, query, options, body: value.map { Body(encoding: $0, using: encoder) })
    }

    /// The request of a closure verb with a body.
    init(
        _ method: HTTPMethod,
        _ path: String,
        _ options: Teapot.Options,
        _ parameters: RequestParameter?
    ) throws(TeapotError) {
        // The caller's own type takes precedence, so that the body need not be examined.
        let contentType = options.headerFields?[field: "Content-Type"]
        let body = try parameters.map { (parameter) throws(TeapotError) in
            try Body(parameter, contentType: contentType)
        }
        self.init(method, path, [], options, body: body)
    }
}
