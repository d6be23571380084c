import Foundation

extension Teapot {
    /// The options that closure verbs take besides path and body.
    typealias Options = (headerFields: [String: String]?, timeoutInterval: TimeInterval?, allowsCellular: Bool)
}

extension Teapot.Request {
    /// The request of a closure verb. The caller's own media type takes precedence, so that the body need not be examined.
    init(_ method: Teapot.HTTPMethod, _ path: String, _ options: Teapot.Options, _ parameter: RequestParameter? = nil)
        throws(TeapotError)
    {
        self.init(method, path: Teapot.Path(path), headerFields: options.headerFields ?? [:])
        timeoutInterval = options.timeoutInterval
        allowsCellular = options.allowsCellular
        guard let parameter else { return }
        body = try Body(parameter, contentType: headerFields[field: "Content-Type"])
    }
}
