import Foundation

/// The texts of Teapot and MockTeapot in the user's language.
/// A key is looked up in the app's bundle, in the user's languages and then in English; then in Teapot's own bundle in the same
/// way; then in the compiled-in English texts. Invalid files, and entries that are empty or not text, are skipped.
enum LocalizedStrings {
    private static let appBundle = Locked<Bundle?>(nil)

    /// The first bundle to look in, for the whole process; by default Teapot's own, or the main bundle if Teapot's own is missing.
    static var currentBundle: Bundle {
        get { appBundle.withLock { $0 } ?? ResourceBundle.own ?? .main }
        set { appBundle.withLock { $0 = newValue } }
    }

    /// The sentence for a key such as `Teapot:NoResponse`, never empty and never the key. Its placeholders are replaced in the
    /// order of the English text. A special key, such as `Teapot:TimedOut`, is preferred in each file that has it.
    static func text(_ key: String, special: String? = nil, _ arguments: [String] = []) -> String {
        var sources: [(Bundle, [String])] = []
        for case let bundle? in [appBundle.withLock { $0 }, ResourceBundle.own] {
            // The environment names the language, except on Apple platforms, which have settings for it.
            #if canImport(Darwin)
                sources.append((bundle, bundle.preferredLocalizations))
            #else
                sources.append((bundle, UserLanguages.languages(environment: ProcessInfo.processInfo.environment)))
            #endif
        }
        return text([special, key].compactMap { $0 }, arguments, from: sources)
    }

    /// The sentence for one of some keys, the best first, from bundles in the languages that suit each.
    static func text(_ keys: [String], _ arguments: [String] = [], from sources: [(Bundle, [String])]) -> String {
        for (bundle, languages) in sources {
            guard let found = BundleStrings.of(bundle).template(for: keys, languages: languages) else { continue }
            return MessageTemplate.filled(found, with: arguments)
        }
        return MessageTemplate.filled(english[keys[0]] ?? "An error occurred.", with: arguments)
    }

    /// The compiled-in English texts, exactly as in `Resources/en.lproj`, for a program without its resource bundle.
    static let english = [
        "Teapot:InvalidRequestPath": "An error occurred: request URL path is invalid.",
        "Teapot:MissingImage": "An error occurred: image is missing.",
        "Teapot:InvalidResponseStatus":
            "An error occurred: request response status reported an issue. Status code: %d.",
        "Teapot:InvalidPayload": "An error occurred: the payload cannot be sent as JSON.",
        "Teapot:DataTaskError": "An error occurred: data task error occurred: %@.",
        "Teapot:NoResponse": "No response received from server.",
        "Teapot:CertificateRefused": "No response received: the server's certificate was refused.",
        "Teapot:CannotConnect": "No connection to the server: the network or the server is not available.",
        "Teapot:SecureConnectionFailed": "A secure connection to the server could not be established.",
        "Teapot:TimedOut": "The server took too long to respond.",
        "Teapot:ConnectionLost": "The connection to the server was lost.",
        "Teapot:RequestNotSent": "The request could not be sent.",
        "Teapot:InvalidHeaderField": "An error occurred: a header field cannot be sent: %@.",
        "Teapot:PreparationFailed": "An error occurred: the request could not be prepared: %@.",
        "Teapot:DecodingFailed": "An error occurred: the data cannot be decoded: %@.",
        "Teapot:ValidationFailed": "An error occurred: the validation of the response failed: %@.",
        "Teapot:Cancelled": "The request was cancelled.",
        "Teapot:ResponseTooLarge": "An error occurred: the response is larger than the limit of %d bytes.",
        "Teapot:FileError": "An error occurred: a file cannot be read or written: %@.",
        "MockTeapot:MissingMockFile": "An error occurred: expected mockfile with name: %@.json",
        "MockTeapot:InvalidMockFile": "An error occurred: invalid mockfile with name: %@.json",
        "MockTeapot:IncorrectHeaders": "An error occurred: Received headers:\n\n%1$@\n\nExpected headers:\n\n%2$@\n\n",
    ]
}
