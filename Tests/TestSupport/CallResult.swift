package import Teapot

/// The result of a closure call, in a form that a test can pass from one thread to another.
///
/// `@unchecked` is sound: a result is made once, handed over once, and only read afterwards.
package struct CallResult: @unchecked Sendable {
    package let json: JSON?
    package let image: TeapotImage?
    package let response: HTTPURLResponse
    package let error: TeapotError?

    package init(_ result: NetworkResult) {
        image = nil
        switch result {
        case .success(let json, let response): (self.json, self.response, error) = (json, response, nil)
        case .failure(let json, let response, let error):
            (self.json, self.response, self.error) = (json, response, error)
        }
    }

    package init(_ result: NetworkImageResult) {
        json = nil
        switch result {
        case .success(let image, let response): (self.image, self.response, error) = (image, response, nil)
        case .failure(let response, let error): (image, self.response, self.error) = (nil, response, error)
        }
    }

    package var isSuccess: Bool { error == nil }
    package var dictionary: [String: Any] { json?.dictionary ?? [:] }

    /// A member of the JSON object as text.
    package func text(_ key: String) -> String? { dictionary[key] as? String }

    /// A member of a JSON object within the JSON object.
    package func text(_ key: String, _ inner: String) -> String? {
        let object = dictionary[key] as? [String: Any]
        // Header names come back in whatever case the server chose.
        return object?.first { $0.key.lowercased() == inner.lowercased() }?.value as? String
    }
}

/// Waits for one closure call, which is to hand the completion on.
package func result(
    of call: (@escaping @Sendable (NetworkResult) -> Void) -> URLSessionTask?
) async -> CallResult {
    await withResume { resume in
        _ = call { resume(CallResult($0)) }
    }
}

/// Waits for one closure call for an image.
package func imageResult(
    of call: (@escaping @Sendable (NetworkImageResult) -> Void) -> URLSessionTask?
) async -> CallResult {
    await withResume { resume in
        _ = call { resume(CallResult($0)) }
    }
}

/// Waits for the outcome of a request.
package func outcome(of request: Teapot.Request, from teapot: Teapot) async -> Result<Teapot.Response, TeapotError> {
    await withResume { resume in
        _ = teapot.send(request) { resume($0) }
    }
}
