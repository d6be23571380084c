import Teapot

/// The error of an exchange in an archive, in Teapot's notation, `URLError.timedOut`, or Chrome's, `net::ERR_TIMED_OUT`.
enum HARError {
    private static let names: [(code: URLError.Code, name: String, chrome: [String])] = [
        (.cannotConnectToHost, "cannotConnectToHost", ["CONNECTION_REFUSED", "ADDRESS_UNREACHABLE"]),
        (.cannotFindHost, "cannotFindHost", ["NAME_NOT_RESOLVED"]),
        (.timedOut, "timedOut", ["TIMED_OUT", "CONNECTION_TIMED_OUT"]),
        (.notConnectedToInternet, "notConnectedToInternet", ["INTERNET_DISCONNECTED"]),
        (
            .networkConnectionLost, "networkConnectionLost",
            [
                "CONNECTION_RESET", "CONNECTION_CLOSED", "EMPTY_RESPONSE", "CONTENT_LENGTH_MISMATCH",
                "INCOMPLETE_CHUNKED_ENCODING",
            ]
        ),
        (.badServerResponse, "badServerResponse", ["INVALID_HTTP_RESPONSE"]),
        (.unsupportedURL, "unsupportedURL", []),
        (.secureConnectionFailed, "secureConnectionFailed", ["SSL_PROTOCOL_ERROR"]),
        (.serverCertificateUntrusted, "serverCertificateUntrusted", ["CERT_AUTHORITY_INVALID"]),
        (.serverCertificateHasBadDate, "serverCertificateHasBadDate", ["CERT_DATE_INVALID"]),
        (.serverCertificateNotYetValid, "serverCertificateNotYetValid", []),
        (.unknown, "unknown", []),
    ]

    /// The text for an error.
    static func text(of error: any Error) -> String {
        let code = (error as? URLError)?.code ?? .unknown
        for (known, name, _) in names where known == code { return "URLError." + name }
        return "URLError(\(code.rawValue))"
    }

    /// The code for a text; `unknown` if there is none.
    static func code(of text: String) -> URLError.Code {
        if let match = text.wholeMatch(of: /URLError\((-?)([0-9]+)\)/), let number = String(match.output.2).number() {
            return URLError.Code(rawValue: match.output.1.isEmpty ? number : -number) ?? .unknown
        }
        let chromeName = text.hasPrefix("net::ERR_") ? String(text.dropFirst(9)) : ""
        for (code, name, chrome) in names where text == "URLError." + name || chrome.contains(chromeName) {
            return code
        }
        return .unknown
    }
}
