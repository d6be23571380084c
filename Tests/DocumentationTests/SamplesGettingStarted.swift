import Teapot

/// The samples of the article "Getting started". `SamplesRunTests` runs them.
enum GettingStartedSamples {
    static func getting(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        teapot.get("notes/1") { result in
            switch result {
            case .success(let json, let response):
                show("\(response.status): \(json?.dictionary?["title"] ?? "no title")")
            case .failure(let json, let response, let error):
                show("\(response.status): \(json?.dictionary?["message"] ?? error.description)")
            }
        }
    }

    static func bodies(_ teapot: Teapot, done: @escaping @Sendable (NetworkResult) -> Void) {
        let note: [String: Any] = ["title": "Buy tea", "tags": ["shopping"]]
        teapot.post("notes", parameters: note, completion: done)

        let notes: [[String: Any]] = [note, ["title": "Descale the kettle"]]
        teapot.put("notes", parameters: notes, completion: done)

        let drawing = Data([0x3C, 0x73, 0x76, 0x67, 0x2F, 0x3E])
        teapot.patch(
            "notes/1/drawing",
            parameters: RequestParameter(drawing),
            headerFields: ["Content-Type": "image/svg+xml"],
            completion: done
        )

        teapot.delete("notes/1", completion: done)
    }

    static func errors(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        teapot.get("notes/1") { result in
            guard case .failure(let json, _, let error) = result else { return }
            switch error.type {
            case .invalidResponseStatus where error.responseStatus == 401:
                show("Log in again.")
            case .invalidResponseStatus:
                show(json?.dictionary?["message"] as? String ?? error.description)
            case .noResponse where (error.underlyingError as? URLError)?.code == .timedOut:
                show("The server takes too long.")
            default:
                show("\(error.description) \(error.failureReason ?? "")")
            }
        }
    }

    static func task(_ teapot: Teapot, show: @escaping @Sendable (NetworkResult) -> Void) {
        let task = teapot.get("reports/2024", timeoutInterval: 60, completion: show)
        task?.suspend()
        task?.resume()
        task?.cancel()
    }

    static func basicAuthentication(_ teapot: Teapot, done: @escaping @Sendable (NetworkResult) -> Void) {
        let credentials = teapot.basicAuthenticationHeader(username: "admin", password: "test123")
        teapot.get("account", headerFields: credentials, completion: done)
    }

    static func image(_ teapot: Teapot, show: @escaping @Sendable (TeapotImage) -> Void) {
        teapot.downloadImage(path: "users/1/avatar") { result in
            switch result {
            case .success(let image, _): show(image)
            case .failure(_, let error): print(error)
            }
        }
    }

    static func avatar(_ teapot: Teapot) async throws -> TeapotImage {
        let avatar = try await teapot.downloadImage(path: "users/1/avatar")
        return avatar
    }

    static func write(_ text: Data, as name: String, with teapot: Teapot) async throws {
        try await teapot.put("contents/\(Teapot.segment(name))", body: text)
    }

    static func upload(_ teapot: Teapot, image: Data, done: @escaping @Sendable (NetworkResult) -> Void) {
        let boundary = MultipartFormData().boundary
        let form = teapot.multipartData(from: image, boundary: boundary, filename: "kettle.png")
        teapot.post(
            "notes/1/images",
            parameters: .data(form),
            headerFields: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
            completion: done
        )
    }

    static func request(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        var request = Teapot.Request(.get, path: "search")
        request.query = ["q": "tea & biscuits", "page": 2]
        teapot.send(request) { result in
            switch result {
            case .success(let response):
                show("\(response.data.count) bytes of \(response.headerFields["content-type"] ?? "unknown type")")
            case .failure(let error):
                show(error.description)
            }
        }
    }

    static func configured(baseURL: URL) -> Teapot {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["User-Agent": "notes/1.0"]
        configuration.httpMaximumConnectionsPerHost = 2
        let teapot = Teapot(
            baseURL: baseURL,
            defaultDeliveryQueue: DispatchQueue(label: "notes"),
            configuration: configuration
        )
        teapot.headerFields = ["Accept-Language": "nb"]
        teapot.timeoutInterval = 30
        teapot.maximumResponseSize = 10_000_000
        return teapot
    }

    static func logger() -> Logger {
        let logger = Logger(level: .error, output: Logger.standardError)
        return logger
    }
}

/// Answers every request with status 204.
struct SilentTransport: Transport {
    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        if let url = request.urlRequest.url,
            let response = HTTPURLResponse(url: url, statusCode: 204, httpVersion: "HTTP/1.1", headerFields: nil)
        {
            receive(.response(response))
            receive(.finished(nil))
        } else {
            receive(.finished(URLError(.badURL)))
        }
        return nil
    }
}
