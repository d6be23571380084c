public import TeapotFoundation

/// The result of a closure verb. There will never be other cases.
public enum NetworkResult: CustomStringConvertible {
    /// A status from 200 to 299. The JSON is `nil` if the body is not a JSON object or an array of objects.
    case success(JSON?, HTTPURLResponse)
    /// Anything else. The JSON is that of the error body. If there was no response, a stand-in has status 400.
    case failure(JSON?, HTTPURLResponse, TeapotError)

    /// Makes a failure if there is an error, and a success otherwise.
    public init(_ json: JSON?, _ response: HTTPURLResponse, _ error: TeapotError? = nil) {
        self = error.map { .failure(json, response, $0) } ?? .success(json, response)
    }

    init(_ outcome: Teapot.Outcome, requestURL: () -> URL) {
        switch outcome {
        case .success(let response): self = .success(response.json, response.http)
        case .failure(let error): self = .failure(error.json, error.response ?? .standIn(for: requestURL()), error)
        }
    }

    /// The status, URL and error, secrets redacted, for a success by ``SecretPolicy/standard``. Header fields and body are not
    /// shown.
    public var description: String {
        switch self {
        case .success(_, let response): response.resultDescription(nil)
        case .failure(_, let response, let error): response.resultDescription(error)
        }
    }
}

/// The result of an image verb. There will never be other cases.
public enum NetworkImageResult: CustomStringConvertible {
    /// A status from 200 to 299, and a body that is an image.
    case success(TeapotImage, HTTPURLResponse)
    /// Anything else; of type `missingImage` if the body is not an image. If there was no response, a stand-in has status 400.
    case failure(HTTPURLResponse, TeapotError)

    /// Makes a success if there is an image and no error; otherwise a failure with the error, or with `missingImage`.
    public init(_ image: TeapotImage?, _ response: HTTPURLResponse, _ error: TeapotError? = nil) {
        if let image, error == nil {
            self = .success(image, response)
        } else {
            self = .failure(response, error ?? .missingImage(response: .foundation(response), data: nil))
        }
    }

    init(_ outcome: Teapot.Outcome, requestURL: () -> URL) {
        do throws(TeapotError) {
            let response = try outcome.get()
            self = .success(try response.image(), response.http)
        } catch { self = .failure(error.response ?? .standIn(for: requestURL()), error) }
    }

    /// The same as ``NetworkResult/description``.
    public var description: String {
        switch self {
        case .success(_, let response): response.resultDescription(nil)
        case .failure(let response, let error): response.resultDescription(error)
        }
    }
}
