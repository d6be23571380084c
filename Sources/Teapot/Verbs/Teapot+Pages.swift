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
        Elements { .init(reader: PageReader(self, request, maximumPages: maximumPages ?? .max, following: next)) }
    }

    /// A decoded page of a list, and its response.
    public struct Page<Value: Sendable>: Sendable {
        /// The decoded body.
        public let value: Value
        /// The response, for example with links and header fields.
        public let response: Response
    }
}

private final class PageReader<Value: Decodable & Sendable>: ElementReader {
    typealias Following = @Sendable (_ page: Value, _ response: Teapot.Response) throws -> Teapot.Request?

    private let teapot: Teapot
    private let maximumPages: Int
    private let following: Following?
    /// The first request, or the one that was sent last.
    private var request: Teapot.Request
    /// The page of the request that was sent last.
    private var page: Teapot.Page<Value>?
    /// The requests that were sent, as text. On Linux, equality of `URLRequest` ignores header fields and bodies.
    private var sent: Set<String> = []
    private var isOver = false

    init(_ teapot: Teapot, _ request: Teapot.Request, maximumPages: Int, following: Following?) {
        self.teapot = teapot
        self.request = request
        self.maximumPages = maximumPages
        self.following = following
    }

    func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot.Page<Value>? {
        guard !isOver, sent.count < maximumPages else { return nil }
        isOver = true
        guard try prepareRequest() else { return nil }
        let response = try await teapot.send(request)
        let value = try response.value { (response) throws(TeapotError) in try response.decode(Value.self) }
        page = Teapot.Page(value: value, response: response)
        isOver = false
        return page
    }

    /// Makes the request for the next page, and tells whether there is one.
    private func prepareRequest() throws(TeapotError) -> Bool {
        if let page, let following {
            do {
                guard let next = try following(page.value, page.response) else { return false }
                request = next
            } catch { throw page.response.parsingError(error) }
        } else if let page {
            guard let link = page.response.link(relation: "next") else { return false }
            request.path = Teapot.Path(link.url.absoluteString)
            request.query = []
        }
        request.accept = Teapot.Request.acceptsJSON
        // A request that cannot be sent fails later.
        guard let made = try? teapot.urlRequest(for: request, teapot.currentContext).urlRequest else { return true }
        var text = made.httpBody?.base64EncodedString() ?? request.body?.file?.absoluteString ?? ""
        text += " \(made.httpMethod ?? "") \(made.url?.absoluteString ?? "")"
        for (name, value) in (made.allHTTPHeaderFields ?? [:]).sortedFields { text += "\n" + name + ":" + value }
        if sent.insert(text).inserted { return true }
        let reason = "page \(sent.count) leads back to a page that was already read"
        let error = TeapotError.invalidRequestPath(reason: reason)
        throw page?.response.parsingError(error) ?? error
    }
}
