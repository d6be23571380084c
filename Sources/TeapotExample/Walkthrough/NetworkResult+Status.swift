import Teapot

extension NetworkResult {
    /// The status of a success, or the error.
    var status: Result<Int, TeapotError> {
        switch self {
        case .success(_, let response): .success(response.status)
        case .failure(_, _, let error): .failure(error)
        }
    }
}
