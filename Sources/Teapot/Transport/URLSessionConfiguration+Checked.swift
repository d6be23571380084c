import TeapotFoundation

extension URLSessionConfiguration {
    /// A copy of a caller's configuration, or the default one that keeps nothing on disk, without settings that Teapot handles
    /// itself or that are unsafe.
    static func checked(_ configuration: URLSessionConfiguration?) -> URLSessionConfiguration {
        configuration.map(checkedCopy) ?? ownConfiguration
    }

    /// Made once, since FoundationNetworking searches for a cookie directory on disk each time. Sessions copy it.
    private static let ownConfiguration: URLSessionConfiguration = {
        let own = checkedCopy(of: .ephemeral)
        own.urlCache = nil
        return own
    }()

    private static func checkedCopy(of configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        let checked = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        // Header fields and cookies are part of the request by now; a value here that is no string aborts the process.
        checked.httpAdditionalHeaders = nil
        checked.httpCookieStorage = nil
        checked.httpShouldSetCookies = false
        // Without this, FoundationNetworking looks for cookies in every line of a header, though it does not store them.
        checked.httpCookieAcceptPolicy = .never
        checked.urlCredentialStorage = nil
        if !PlatformTransport.hasUsableCache { checked.urlCache = nil }
        // Invalid times, and those beyond 1e16, trap.
        let limit = PlatformTransport.outOfTheWay
        checked.timeoutIntervalForRequest = limit
        let resourceTime = checked.timeoutIntervalForResource
        checked.timeoutIntervalForResource = resourceTime > 0 ? min(resourceTime, limit) : limit
        return checked
    }

    /// The header fields of a caller's configuration, as text.
    var headerFields: [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in httpAdditionalHeaders ?? [:] { fields["\(name)"] = "\(value)" }
        return fields
    }
}
