internal import Foundation

/// The Basic scheme (RFC 7617).
package enum BasicAuthentication {
    /// The value of an `Authorization` header field.
    ///
    /// - Returns: `nil` when the username holds a colon or either holds a control character, which the scheme cannot say
    ///   (RFC 7617, section 2).
    package static func value(username: String, password: String) -> String? {
        guard !username.holdsControlCharacters, !password.holdsControlCharacters else { return nil }
        guard !username.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return "Basic " + Data("\(username):\(password)".utf8).base64EncodedString()
    }
}
