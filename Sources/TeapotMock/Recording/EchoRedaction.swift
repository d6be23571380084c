internal import Teapot

/// Replaces secrets that are known wherever they stand in a recording.
struct EchoRedaction: RecordingRedaction {
    private let search: SecretSearch
    var isInResponse = false

    init(_ values: some Sequence<String>) {
        search = SecretSearch(values)
    }

    func url(_ url: String) -> String {
        let start = HARURL.pathStart(in: url)
        return url[..<start] + redacted(String(url[start...]))
    }

    func value(_ value: String, named name: String) -> String {
        // It tells what the body is.
        name.lowercased() == "content-type" ? value : redacted(value)
    }

    func body(_ text: String) -> String? {
        guard JSONRedactor.isJSON(text) else { return redacted(text) }
        var redactor = JSONRedactor(isSecret: { _ in false }, redact: { text, _ in redacted(text) })
        return redactor.redacted(text)
    }

    func holdsSecrets(_ data: Data, mediaType: String) -> String? {
        search.isFound(in: data) ? "it holds a secret of another place" : nil
    }

    /// A text without them.
    func redacted(_ text: String) -> String { search.redacted(text) }
}
