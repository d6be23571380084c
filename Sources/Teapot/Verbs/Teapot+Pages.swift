import TeapotFoundation

extension Teapot {
    /// Reads a list page by page: a sequence of decoded pages, each with its response.
    ///
    /// ```swift
    /// for try await page in teapot.pages("issues", as: [Issue].self) { show(page.value) }
    /// ```
    ///
    /// Each page is a call of its own, sent when it is requested, with its own retries. The next page is the target of the
    /// response's link `next` (RFC 8288), or the result of `next`. The sequence ends without a next page, and after an error.
    ///
    /// A link to an origin other than that of the base URL fails with `invalidRequestPath`, and so does a request that was
    /// already sent: pages that link in a circle would not end.
    ///
    /// - Parameters:
    ///   - request: The request for the first page, such as `"issues"`. For a linked page, only path and query are replaced.
    ///     Its decoder decodes the pages.
    ///   - type: The type of each page's body.
    ///   - maximumPages: The maximum number of pages; `nil` for no limit.
    ///   - next: Makes the request for the next page, for example with a cursor from the body; `nil` after the last. An error
    ///     that it throws ends the sequence: a ``TeapotError`` unchanged, any other as the cause of `decodingFailed`.
    /// - Returns: The pages. Each loop over them begins with the first.
    public func pages<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type,
        maximumPages: Int? = nil,
        next: (@Sendable (_ page: Value, _ response: Response) throws -> Request?)? = nil
    ) -> Elements<Page<Value>> {
        let reader = PageReader(teapot: self, maximumPages: maximumPages ?? .max, following: next, request: request)
        return Elements(reader: reader)
    }

    /// A decoded page of a list, and its response.
    public struct Page<Value: Sendable>: Sendable {
        /// The decoded body.
        public let value: Value
        /// The response, for example with links and header fields.
        public let response: Response
    }
}

/// Reads the pages of one iterator.
private struct PageReader<Value: Decodable & Sendable>: ElementReader {
    let teapot: Teapot
    let maximumPages: Int
    let following: (@Sendable (_ page: Value, _ response: Teapot.Response) throws -> Teapot.Request?)?
    /// The first request, or the last one that was sent, and its page.
    var request: Teapot.Request
    var page: Teapot.Page<Value>?
    /// The requests that were sent. On Linux, equality of `URLRequest` ignores header fields and bodies.
    var sent: Set<String> = []
    var isOver = false

    mutating func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot.Page<Value>? {
        guard !isOver, sent.count < maximumPages else { return nil }
        isOver = true
        guard let request = try nextRequest() else { return nil }
        let response = try await teapot.send(request)
        let value = try response.value { (response) throws(TeapotError) in try response.decode(Value.self) }
        let page = Teapot.Page(value: value, response: response)
        self.request = request
        self.page = page
        isOver = false
        return page
    }

    private mutating func nextRequest() throws(TeapotError) -> Teapot.Request? {
        var request = request
        if let page, let following {
            do {
                guard let made = try following(page.value, page.response) else { return nil }
                request = made
            } catch { throw page.response.parsingError(error) }
        } else if let page {
            // Without a closure, the target of the page's link.
            guard let link = page.response.link(relation: "next") else { return nil }
            request.path = Teapot.Path(link.url.absoluteString)
            request.query = []
        }
        request.accept = Teapot.Request.acceptsJSON
        // A request that cannot be sent fails later.
        guard let made = try? teapot.urlRequest(for: request, teapot.currentContext).urlRequest else { return request }
        let body = made.httpBody?.base64EncodedString() ?? request.body?.file?.absoluteString
        let parts = [made.httpMethod, made.url?.absoluteString, body]
        if sent.insert("\(parts) \((made.allHTTPHeaderFields ?? [:]).sortedFields)").inserted { return request }
        let reason = "page \(sent.count) leads back to a page that was already read"
        let error = TeapotError.invalidRequestPath(reason: reason)
        throw page?.response.parsingError(error) ?? error
    }
}
