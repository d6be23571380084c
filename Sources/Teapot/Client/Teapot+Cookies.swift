public import Foundation

extension Teapot {
    /// The cookies that servers have set, and that go with requests.
    ///
    /// They live in memory with this Teapot, or in the cookie storage of its configuration. A configuration that wants no cookies has
    /// none.
    public var cookies: Cookies { Cookies(jar: cookieJar, baseURL: baseURL) }

    /// The cookies of a ``Teapot/Teapot``. They may be read and changed from any thread, while calls are under way, too.
    public struct Cookies: Sendable, CustomStringConvertible, CustomReflectable {
        fileprivate let jar: CookieJar?
        fileprivate let baseURL: URL

        /// All cookies that have not expired, such as to save them.
        public var all: [Cookie] { jar?.all().map(Cookie.init) ?? [] }

        /// The value of the cookie that is sent to a URL, such as to repeat a CSRF token in a header field.
        ///
        /// - Parameters:
        ///   - name: The name of the cookie.
        ///   - url: Where it is sent to; the base URL if `nil`.
        /// - Returns: The value, of several that of the longest path; `nil` if none of this name is sent there.
        public subscript(name: String, for url: URL? = nil) -> String? {
            jar?.cookies(for: url ?? baseURL.absoluteURL).first { $0.name == name }?.value
        }

        /// Sets cookies, in place of those with the same name, domain and path. One that has expired removes that.
        ///
        /// - Parameter cookies: The cookies, such as those that were saved. They go to any host that they name.
        /// - Throws: `invalidHeaderField` if a name or a value is not one that a server could set (RFC 6265, section 5.2), or if the
        ///   configuration wants no cookies. None is set then.
        public func set(_ cookies: [Cookie]) throws(TeapotError) {
            guard let jar else {
                throw .invalidHeaderField(reason: "the configuration of the Teapot does not allow cookies")
            }
            var set: [HTTPCookie] = []
            for (index, cookie) in cookies.enumerated() {
                guard let cookie = cookie.httpCookie(for: baseURL.absoluteURL.host()) else {
                    throw .invalidHeaderField(
                        reason: "the cookie at index \(index) has an invalid name, value or domain"
                    )
                }
                set.append(cookie)
            }
            for cookie in set { jar.keep(cookie, isSecure: true, at: Date()) }
        }

        /// Removes all cookies, such as at a logout; those of the configuration's cookie storage, too.
        public func removeAll() { jar?.removeAll() }

        /// How many there are.
        public var description: String { "\(all.count) cookies" }

        /// The same, for `dump`.
        public var customMirror: Mirror { Mirror(self, children: ["cookies": description]) }
    }
}
