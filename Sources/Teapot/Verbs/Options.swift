import Foundation

extension Teapot {
    /// The options that closure verbs take besides path and body.
    struct Options {
        let headerFields: [String: String]
        let timeoutInterval: TimeInterval?
        let allowsCellular: Bool

        init(_ headerFields: [String: String]?, _ timeoutInterval: TimeInterval?, _ allowsCellular: Bool) {
            self.headerFields = headerFields ?? [:]
            self.timeoutInterval = timeoutInterval
            self.allowsCellular = allowsCellular
        }
    }
}

extension Teapot.Request {
    /// The request of a closure verb without a body.
    init(_ method: Teapot.HTTPMethod, _ path: String, _ options: Teapot.Options) {
        self.init(method, path: path, headerFields: options.headerFields)
        timeoutInterval = options.timeoutInterval
        allowsCellular = options.allowsCellular
    }

    /// The request of a closure verb with a body.
    init(
        _ method: Teapot.HTTPMethod,
        _ path: String,
        _ parameter: RequestParameter?,
        _ options: Teapot.Options
    ) throws(TeapotError) {
        self.init(method, path, options)
        guard let parameter else { return }
        // The caller's own type takes precedence, so that the body need not be examined.
        body = try Body(parameter, contentType: headerFields[field: "Content-Type"])
    }
}
