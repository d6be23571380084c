public import TeapotFoundation

/// What a closure verb hands to its completion.
public enum NetworkResult {
    /// A status from 200 to 299. The JSON is `nil` when the body is not a JSON object or an array of objects.
    case success(JSON?, HTTPURLResponse)
    /// Anything else. The JSON is that of the error's body; the response is a stand-in with status 400 when none came.
    case failure(JSON?, HTTPURLResponse, TeapotError)

    /// Makes a failure if there is an error, and a success otherwise.
    public init(_ json: JSON?, _ response: HTTPURLResponse, _ error: TeapotError? = nil) {
        self = error.map { .failure(json, response, $0) } ?? .success(json, response)
    }

    package init(_ outcome: Call.Outcome, requestURL: URL) {
        switch outcome {
        case .success(let response):
            self = .success(response.json, response.http)
        case .failure(let error):
            self = .failure(error.json, error.response ?? .standIn(for: requestURL), error)
        }
    }
}

extension NetworkResult: CustomStringConvertible {
    /// Status and URL, and the error, secrets redacted; a success goes by ``SecretPolicy/standard``. Header fields and body are
    /// not shown.
    public var description: String {
        switch self {
        case .success(_, let response): "success: \(response.shortDescription())"
        case .failure(_, let response, let error):
            "failure: \(response.shortDescription(error.details.secrets)), \(error.debugDescription)"
        }
    }
}
