import Foundation

extension TeapotError {
    /// Accesses a file, and adds its name to any error, with the system's reason if Foundation provides it.
    static func naming<Value>(_ url: URL, _ access: () throws -> Value) throws(TeapotError) -> Value {
        do { return try access() } catch { throw fileError(url, error) }
    }

    @inline(never) private static func fileError(_ url: URL, _ error: any Error) -> TeapotError {
        if let error = error as? TeapotError { return error }
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard let cause = cause as NSError?, cause.domain == NSPOSIXErrorDomain else {
            return .fileError(url, error.localizedDescription)
        }
        return .fileError(url, errno: Int32(clamping: cause.code))
    }
}
