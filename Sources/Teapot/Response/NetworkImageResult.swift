public import TeapotFoundation

/// What the image verbs hand to their completion.
public enum NetworkImageResult {
    /// A status from 200 to 299, and a body that is an image.
    case success(TeapotImage, HTTPURLResponse)
    /// Anything else; of type `missingImage` when the body is not an image. The response is a stand-in with status 400
    /// when none came.
    case failure(HTTPURLResponse, TeapotError)

    /// Makes a success if there is an image and no error; a failure with the error, or with `missingImage`, otherwise.
    public init(_ image: TeapotImage?, _ response: HTTPURLResponse, _ error: TeapotError? = nil) {
        if let error {
            self = .failure(response, error)
        } else if let image {
            self = .success(image, response)
        } else {
            self = .failure(response, .missingImage(response: response, data: nil))
        }
    }

    package init(_ outcome: Call.Outcome, requestURL: URL) {
        switch outcome {
        case .success(let response):
            if let image = TeapotImage(data: response.data) {
                self = .success(image, response.http)
            } else {
                let error = TeapotError.missingImage(response: response.http, data: response.data)
                self = .failure(response.http, error.with(response.details))
            }
        case .failure(let error):
            self = .failure(error.response ?? .standIn(for: requestURL), error)
        }
    }
}

extension NetworkImageResult: CustomStringConvertible {
    /// Status and URL, and the error, secrets redacted; a success goes by ``SecretPolicy/standard``. Header fields and body are
    /// not shown.
    public var description: String {
        switch self {
        case .success(_, let response): "success: \(response.shortDescription())"
        case .failure(let response, let error):
            "failure: \(response.shortDescription(error.details.secrets)), \(error.debugDescription)"
        }
    }
}
