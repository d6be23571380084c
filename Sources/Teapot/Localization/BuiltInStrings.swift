/// The compiled-in English texts, for a program without its resource bundle.
enum BuiltInStrings {
    /// The text for every key, exactly as in `Resources/en.lproj`.
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
