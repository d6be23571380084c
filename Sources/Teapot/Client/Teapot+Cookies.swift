public import Foundation

extension Teapot {
    /// The cookies that servers have set, which are sent with requests.
    ///
    /// They are kept in memory by this Teapot, or in the cookie storage of its configuration. There are none if
    /// ``acceptsCookies`` is `false`.
    public var cookies: Cookies { Cookies(jar: currentContext.cookies, baseURL: baseURL) }

    /// Whether cookies are kept and sent, whatever the transport: `true` by default, unless the configuration does not accept
    /// cookies.
    ///
    /// When it becomes `false`, the cookies that this Teapot kept in memory are forgotten; those of a configuration's storage
    /// stay there, and are not used again: when it becomes `true`, cookies are kept in memory. A request's own `Cookie` header
    /// field is sent all the same.
    public var acceptsCookies: Bool {
        get { currentContext.cookies != nil }
        set { replaceContext { .init($0.settings, cookies: newValue ? ($0.cookies ?? CookieJar()) : nil, time: time) } }
    }

    /// The cookies of a ``Teapot/Teapot``. They can be read and changed from any thread, even while calls are under way.
    public struct Cookies: Sendable, CustomReflectable {
        fileprivate let jar: CookieJar?
        fileprivate let baseURL: URL

        /// All cookies that have not expired, for example to save them.
        public var all: [Cookie] { jar?.all() ?? [] }

        /// The value of a cookie that is sent to a URL, or to the base URL if that is `nil`: for example a CSRF token, to
        /// repeat it in a header field. Of several cookies with this name, that of the longest path; `nil` if there is none.
        public subscript(name: String, for url: URL? = nil) -> String? {
            jar?.cookies(for: url ?? baseURL.absoluteURL).first { $0.name == name }?.value
        }

        /// Sets cookies for any hosts, for example those that were saved. They replace those with the same name, domain and
        /// path. An expired cookie removes the existing one.
        /// - Throws: `invalidHeaderField` if a server could not set a cookie of such a name or value (RFC 6265, section 5.2),
        ///   or if the Teapot does not accept cookies. No cookie is set then.
        public func set(_ cookies: [Cookie]) throws(TeapotError) {
            guard let jar else { throw .invalidHeaderField(reason: "the Teapot does not accept cookies") }
            var set: [Cookie] = []
            for (index, var cookie) in cookies.enumerated() {
                cookie.domain = (cookie.domain ?? baseURL.absoluteURL.host())?.lowercased()
                guard SetCookie.isPair(cookie.name, cookie.value), cookie.domain != nil, cookie.forStorage != nil else {
                    let reason = "the cookie at index \(index) has an invalid name, value or domain"
                    throw .invalidHeaderField(reason: reason)
                }
                set.append(cookie)
            }
            for cookie in set { jar.keep(cookie, isSecure: true, at: Date()) }
        }

        /// Removes all cookies, for example at logout, including those of the configuration's cookie storage.
        public func removeAll() { jar?.removeAll() }

        /// The number of cookies.
        public var customMirror: Mirror { Mirror(self, shown: ["count": all.count]) }
    }
}
