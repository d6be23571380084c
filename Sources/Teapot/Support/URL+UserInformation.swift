import Foundation

extension URL {
    /// The URL without a user's name and password.
    package var withoutUserInformation: URL {
        guard user != nil || password != nil, var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        (components.user, components.password) = (nil, nil)
        return components.url ?? self
    }
}
