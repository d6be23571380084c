import Foundation

extension URL {
    /// The URL without a user's name and password, also if they cannot be decoded.
    package var withoutUserInformation: URL {
        guard user(percentEncoded: true) != nil || password(percentEncoded: true) != nil,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.percentEncodedUser = nil
        components.percentEncodedPassword = nil
        return components.url ?? self
    }
}
