public import TeapotFoundation

extension Teapot {
    /// Reads a list page by page: a sequence of decoded pages, each with its response.
    ///
    /// ```swift
    /// for try await (issues, _) in teapot.pages("issues", as: [Issue].self) { show(issues) }
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
    ///   - type: The type of each page's body.
    ///   - decoder: Decodes the pages; ``decoder`` if `nil`.
    ///   - maximumPages: The maximum number of pages; `nil` for no limit.
    ///   - next: Makes the request for the next page, for example with a cursor from the body; `nil` after the last. An error
    ///     that it throws ends the sequence: a ``TeapotError`` unchanged, any other as the cause of `decodingFailed`.
    /// - Returns: The pages. Each loop over them begins with the first.
    public func pages<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type,
        decoder: JSONDecoder? = nil,
        maximumPages: Int? = nil,
        next: (@Sendable (_ page: Value, _ response: Response) throws -> Request?)? = nil
    ) -> Pages<Value> {
        Pages { Pages.Reader(self, request, decoder, maximumPages: maximumPages ?? .max, next) }
    }

    /// The pages of a list: see ``pages(_:as:decoder:maximumPages:next:)``.
    public struct Pages<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        /// A decoded page, and its response.
        public typealias Element = (value: Value, response: Response)

        fileprivate let makeReader: @Sendable () -> Reader

        /// Iterates over the pages, beginning with the first.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

        /// Iterates over the pages of a list.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let reader: Reader

            /// The next page; `nil` at the end, and after an error.
            ///
            /// - Returns: The page and its response.
            /// - Throws: The error of the call; `cancelled` if the task was cancelled.
            public mutating func next() async throws(TeapotError) -> Element? { try await reader.next() }
        }

        fileprivate final class Reader {
            typealias Next = @Sendable (_ page: Value, _ response: Response) throws -> Request?

            private let teapot: Teapot
            private let decoder: JSONDecoder?
            private let maximumPages: Int
            private let following: Next?
            /// The first request, or the last one that was sent, and its page.
            private var request: Request
            private var page: Element?
            /// The requests that were sent. On Linux, equality of `URLRequest` ignores header fields and bodies.
            private var sent: Set<String> = []
            private var isOver = false

            init(
                _ teapot: Teapot,
                _ first: Request,
                _ decoder: JSONDecoder?,
                maximumPages: Int,
                _ following: Next?
            ) {
                (self.teapot, request, self.decoder) = (teapot, first, decoder)
                (self.maximumPages, self.following) = (maximumPages, following)
            }

            func next() async throws(TeapotError) -> Element? {
                guard !isOver, sent.count < maximumPages else { return nil }
                isOver = true
                guard let request = try nextRequest() else { return nil }
                let response = try await teapot.send(request)
                page = (try response.decode(Value.self, using: decoder), response)
                (self.request, isOver) = (request, false)
                return page
            }

            private func nextRequest() throws(TeapotError) -> Request? {
                var request = request
                if let page, let following {
                    do {
                        guard let made = try following(page.value, page.response) else { return nil }
                        request = made
                    } catch {
                        throw page.response.parsingError(error)
                    }
                } else if let page {
                    // Without a closure, the target of the page's link.
                    guard let link = page.response.link(rel: "next") else { return nil }
                    (request.path, request.query) = (link.url.absoluteString, [])
                }
                request.accept = Request.Body.json
                // A request that cannot be sent fails later.
                guard let made = try? teapot.urlRequest(for: request, teapot.currentContext).urlRequest else {
                    return request
                }
                let body = made.httpBody?.base64EncodedString() ?? request.body?.file?.absoluteString
                let parts = [made.httpMethod, made.url?.absoluteString, body]
                if sent.insert("\(parts) \((made.allHTTPHeaderFields ?? [:]).sortedFields)").inserted { return request }
                let reason = "page \(sent.count) leads back to a page that was already read"
                let error = TeapotError.invalidRequestPath(reason: reason)
                throw page?.response.parsingError(error) ?? error
            }
        }
    }
}
