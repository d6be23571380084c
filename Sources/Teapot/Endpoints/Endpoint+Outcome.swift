internal import Foundation

/// What all shapes of a call make of its outcome.
extension Endpoint {
    /// What ``parse(_:)`` makes of a response.
    func result(of outcome: Result<Teapot.Response, TeapotError>) -> Result<Response, TeapotError> {
        result(of: outcome, parse)
    }

    /// The body as another type than ``Response``.
    func result<Value: Decodable>(
        of outcome: Result<Teapot.Response, TeapotError>,
        as type: Value.Type
    ) -> Result<Value, TeapotError> {
        result(of: outcome) { response in try response.value(as: type, using: decoder) }
    }

    private func result<Value>(
        of outcome: Result<Teapot.Response, TeapotError>,
        _ parse: (Teapot.Response) throws -> Value
    ) -> Result<Value, TeapotError> {
        let decoder = decoder
        return Result { () throws(TeapotError) in
            let response: Teapot.Response
            do throws(TeapotError) {
                response = try outcome.get().decoding(with: decoder)
            } catch {
                throw error.decoding(with: decoder)
            }
            do {
                return try parse(response)
            } catch {
                throw response.parsingError(error)
            }
        }
    }
}

extension Teapot.Response {
    /// The body as a value, but that of an ``EmptyResponse`` is not looked at.
    func value<Value: Decodable>(
        as type: Value.Type,
        using decoder: JSONDecoder?
    ) throws(TeapotError) -> Value {
        if let empty = EmptyResponse() as? Value { return empty }
        return try decode(type, using: decoder)
    }
}
