import Foundation

/// The body of a request, sorted into the keys of httpbin's answer.
struct EchoedBody {
    /// The body as text, or as a `data:` URL when it is not UTF-8. Empty when it was a form.
    private(set) var data = ""

    /// The fields of a form.
    private(set) var form: [String: JSONValue] = [:]

    /// The files of a multipart form: their text, or a `data:` URL. Of several with one name, the first.
    private(set) var files: [String: JSONValue] = [:]

    /// The body parsed as JSON, else null.
    private(set) var json = JSONValue.null

    init(_ request: ReceivedRequest) {
        let contentType = request.header("Content-Type") ?? ""
        let mediaType = contentType.prefix { $0 != ";" }.lowercased()
        switch mediaType {
        case "application/x-www-form-urlencoded":
            form = Echo.flatten(FormDecoder.pairs(String(decoding: request.body, as: UTF8.self)))
        case "multipart/form-data":
            let multipart = MultipartForm(request.body, contentType: contentType)
            form = Echo.flatten(multipart.fields)
            let texts = multipart.files.map {
                ($0.name, JSONValue.string(Self.text($0.data, contentType: $0.contentType)))
            }
            files = Dictionary(texts) { first, _ in first }
        default:
            data = Self.text(request.body)
            json = JSONValue(body: request.body)
        }
    }

    private static func text(_ data: Data, contentType: String = "application/octet-stream") -> String {
        String(data: data, encoding: .utf8) ?? "data:\(contentType);base64,\(data.base64EncodedString())"
    }
}
