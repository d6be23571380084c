import Teapot

extension Error {
    /// What went wrong, and with what, on one line.
    var explanation: String {
        if let error = self as? TeapotError {
            return ([error.description] + (error.underlyingError.map { [$0.explanation] } ?? [])).joined(separator: " ")
        }
        // Of Foundation's own errors the description is a dump.
        let isFoundations = self is URLError || self is CocoaError || type(of: self) == NSError.self
        return (isFoundations ? localizedDescription : "\(self)").split(whereSeparator: \.isNewline).joined(
            separator: " "
        )
    }
}
