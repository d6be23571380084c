package import Teapot

/// A way to make a call. They differ in nothing but how they are called.
package struct CallShape: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        case closure, async, blocking
    }

    /// The arguments of a call.
    fileprivate struct Site: Sendable {
        let teapot: Teapot
        let path: String
        /// In seconds.
        let time: TimeInterval
        let folder: TemporaryFolder

        var file: URL { folder.file("file") }

        func request(_ method: Teapot.HTTPMethod = .get, _ body: Teapot.Request.Body? = nil) -> Teapot.Request {
            Teapot.Request(method, path: Teapot.Path(path), body: body)
        }
    }

    /// No two have the same.
    package let description: String
    package let method: Teapot.HTTPMethod
    package let kind: Kind
    fileprivate let call: @Sendable (Site) async throws -> CallOutcome

    package static func == (one: CallShape, other: CallShape) -> Bool { one.description == other.description }

    /// Makes a call.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - teapot: The client.
    ///   - timeoutInterval: In seconds.
    ///   - folder: Where a download puts its `file`.
    /// - Returns: The outcome.
    package func outcome(
        of path: String,
        from teapot: Teapot,
        timeoutInterval: TimeInterval = .infinity,
        in folder: TemporaryFolder
    ) async -> CallOutcome {
        // The async verbs take no timeout.
        teapot.timeoutInterval = timeoutInterval
        do {
            return try await call(Site(teapot: teapot, path: path, time: timeoutInterval, folder: folder))
        } catch {
            return CallOutcome(error: error as? TeapotError ?? TeapotError(type: .fileError, description: "\(error)"))
        }
    }
}

/// The result of a call, however it was made.
package struct CallOutcome: Sendable {
    /// Status and body of a success, as far as the caller gets them.
    package var status: Int?
    package var data = Data()
    package var error: TeapotError?
    /// The result of a closure, and its task.
    package var response: HTTPURLResponse?
    package var task: URLSessionTask?
}

// MARK: - The table

extension CallShape {
    package static let all = closures + verbs + transfers + [blocking]

    package static let getClosure = closure(.get) { $0.teapot.get($0.path, timeoutInterval: $0.time, completion: $1) }
    package static let headClosure = closure(.head) {
        $0.teapot.head($0.path, timeoutInterval: $0.time, completion: $1)
    }
    package static let postClosure = closure(.post) {
        $0.teapot.post($0.path, parameters: ["tea": 1], timeoutInterval: $0.time, completion: $1)
    }
    package static let image = CallShape("image", .get, .closure) { site in
        let task = Locked<URLSessionTask?>(nil)
        let result = await imageResult { completion in
            let call = site.teapot.downloadImage(path: site.path, timeoutInterval: site.time, completion: completion)
            task.withLock { $0 = call }
            return call
        }
        return CallOutcome(result, task.withLock { $0 })
    }
    package static let sendClosure = CallShape("send with a closure", .get, .closure) { site in
        CallOutcome(try await TestSupport.outcome(of: site.request(), from: site.teapot).get())
    }
    package static let closures = [
        getClosure, headClosure, postClosure,
        closure(.put) { $0.teapot.put($0.path, timeoutInterval: $0.time, completion: $1) },
        closure(.patch) { $0.teapot.patch($0.path, timeoutInterval: $0.time, completion: $1) },
        closure(.delete) { $0.teapot.delete($0.path, timeoutInterval: $0.time, completion: $1) },
        image, sendClosure,
    ]

    package static let get = CallShape("get", .get) {
        CallOutcome(try await $0.teapot.get(Teapot.Path($0.path)))
    }
    package static let head = CallShape("head", .head) {
        CallOutcome(try await $0.teapot.head(Teapot.Path($0.path)))
    }
    package static let post = CallShape("post a value", .post) {
        CallOutcome(try await $0.teapot.post(Teapot.Path($0.path), body: ["tea": 1]))
    }
    package static let verbs = [
        get, head, post,
        CallShape("get as", .get) {
            _ = try await $0.teapot.get(Teapot.Path($0.path), as: [String: Int].self)
            return CallOutcome()
        },
        CallShape("put as", .put) {
            _ = try await $0.teapot.put(Teapot.Path($0.path), body: [1], as: EmptyResponse.self)
            return CallOutcome()
        },
        CallShape("patch", .patch) { CallOutcome(try await $0.teapot.patch(Teapot.Path($0.path))) },
        CallShape("delete", .delete) { CallOutcome(try await $0.teapot.delete(Teapot.Path($0.path))) },
        CallShape("send", .put) { CallOutcome(try await $0.teapot.send($0.request(.put))) },
    ]

    /// In more than one piece.
    private static let body = Data(count: 100_000)

    package static let download = CallShape("download", .get) {
        CallOutcome(try await $0.teapot.download($0.request(), to: $0.file))
    }
    package static let resumed = CallShape("download that resumes", .get) {
        CallOutcome(try await $0.teapot.download($0.request(), to: $0.file, resumes: true))
    }
    package static let upload = CallShape("upload", .post) { site in
        let folder = try TemporaryFolder()
        try body.write(to: folder.file("body"))
        return CallOutcome(
            try await site.teapot.upload(site.request(.post, .file(folder.file("body"))))
        )
    }
    package static let postData = CallShape("upload of data", .post) { site in
        let body = Teapot.Request.Body(body, contentType: "image/x-tea")
        return CallOutcome(try await site.teapot.upload(site.request(.post, body)) { _ in })
    }
    package static let chunks = CallShape("bytes in chunks", .get) { site in
        let bytes = try await site.teapot.bytes(site.request())
        return CallOutcome(status: bytes.status, data: try await bytes.reduce(into: Data()) { $0 += $1 })
    }
    package static let lines = CallShape("bytes in lines", .get) { site in
        let bytes = try await site.teapot.bytes(site.request())
        for try await _ in bytes.lines {}
        return CallOutcome(status: bytes.status)
    }
    package static let transfers = [download, resumed, upload, postData, chunks, lines]

    package static let blocking = CallShape("sendAndWait", .get, .blocking) { site in
        try await onThread { Result { CallOutcome(try site.teapot.sendAndWait(site.request())) } }.get()
    }

    private init(
        _ description: String,
        _ method: Teapot.HTTPMethod,
        _ kind: Kind = .async,
        _ call: @escaping @Sendable (Site) async throws -> CallOutcome
    ) {
        (self.description, self.method, self.kind, self.call) = (description, method, kind, call)
    }

    private static func closure(
        _ method: Teapot.HTTPMethod,
        _ begin: @escaping @Sendable (Site, @escaping @Sendable (NetworkResult) -> Void) -> URLSessionTask?
    ) -> CallShape {
        CallShape("\(method) with a closure", method, .closure) { site in
            let task = Locked<URLSessionTask?>(nil)
            let result = await result { completion in
                let call = begin(site, completion)
                task.withLock { $0 = call }
                return call
            }
            return CallOutcome(result, task.withLock { $0 })
        }
    }
}

extension CallOutcome {
    fileprivate init(_ response: Teapot.Response) {
        self.init(status: response.status, data: response.data)
    }

    fileprivate init(_ result: CallResult, _ task: URLSessionTask?) {
        let status = result.isSuccess ? result.response.status : nil
        self.init(status: status, error: result.error, response: result.response, task: task)
    }
}
