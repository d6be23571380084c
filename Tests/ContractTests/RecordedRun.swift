import Teapot
import TestSupport
import Testing

/// A run of a client, live or by a recording, and what it got.
final class RecordedRun {
    let teapot: Teapot
    /// A name that no other run has.
    let name: String
    private(set) var lines: [String] = []
    private var requests: [Teapot.Request] = []
    /// The secrets that the client knows.
    private(set) var sent: [String] = []
    /// The secrets that the server gives it.
    private(set) var received: [String] = []

    init(_ teapot: Teapot, _ name: String) {
        self.teapot = teapot
        self.name = name
        teapot.timeoutInterval = 60
    }

    func secret(_ value: String) -> String {
        sent.append(value)
        return value
    }

    /// Takes a secret from a response.
    func take(_ pattern: Regex<(Substring, Substring)>, from text: String) throws -> String {
        let value = String(try #require(text.firstMatch(of: pattern), "\(pattern) in \(text)").output.1)
        received.append(value)
        return value
    }

    /// All secrets, as they are and encoded, longest first.
    var secrets: [String] {
        let plain = Set(sent + received)
        let encoded = plain.flatMap { secret in
            [
                Data(secret.utf8).base64EncodedString(),
                Data(secret.utf8).base64EncodedString().trimmingCharacters(in: ["="]),
                secret.replacing("/", with: "\\/"),
                secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret,
            ]
        }
        return plain.union(encoded).sorted { $0.count > $1.count }
    }

    var redactedLines: [String] {
        let secrets = secrets
        return lines.map { line in
            secrets.reduce(line.unnumbered) { $0.replacing($1, with: SecretPolicy.replacement) }
        }
    }

    // MARK: - Requests

    private func note(_ response: Teapot.Response, after request: String) {
        note(response.status, response.headerFields, response.data.text, after: request)
    }

    private func note(_ status: Int, _ fields: Teapot.HeaderFields, _ text: String, after request: String) {
        let names = ["Content-Type", "ETag", "Link", "Location"]
        lines.append("\(request): \(status) \(names.map { fields[$0] ?? "-" }) \(text)")
    }

    /// Sends a request, and returns the body of the response, whatever its status.
    @discardableResult
    func send(
        _ method: Teapot.HTTPMethod,
        _ path: Teapot.Path,
        _ body: String? = nil,
        type: String = "application/json",
        fields: [String: String] = [:]
    ) async throws -> String {
        let content = body.map { Teapot.Request.Body(Data($0.utf8), contentType: type) }
        return try await send(Teapot.Request(method, path: path, headerFields: fields, body: content))
    }

    @discardableResult
    func send(_ request: Teapot.Request) async throws -> String {
        requests.append(request)
        switch await outcome(of: request, from: teapot) {
        case .success(let response):
            note(response, after: Self.label(request))
            return response.data.text
        case .failure(let error):
            let (response, text) = (try #require(error.response, "\(error)"), error.data?.text ?? "")
            note(response.status, Teapot.HeaderFields(response), text, after: Self.label(request))
            return text
        }
    }

    /// The requests that were sent once, and contain no secret: their answers do not depend on others.
    var lookups: [Teapot.Request] {
        let labels = Dictionary(grouping: requests.map(Self.label)) { $0 }
        return requests.filter { request in
            let label = Self.label(request)
            return labels[label]?.count == 1 && !secrets.contains { label.contains($0) }
        }
    }

    /// What the server answered to a request.
    func lines(of request: Teapot.Request) -> [String] {
        redactedLines.filter { $0.hasPrefix("\(Self.label(request)): ") }
    }

    private static func label(_ request: Teapot.Request) -> String {
        "\(request.method) \(request.path.text) \(request.body?.data?.text ?? "")"
    }

    /// Sends a request, and decodes the body of the response.
    func get<Value: Decodable>(_ type: Value.Type, _ request: Teapot.Request) async throws -> Value {
        requests.append(request)
        let response = try await teapot.send(request)
        note(response, after: Self.label(request))
        return try response.decode(type)
    }

    /// Reads all pages, by their links, or as `next` says.
    func pages<Value: Decodable & Sendable>(
        _ first: Teapot.Request,
        as type: Value.Type,
        next: (@Sendable (Value) -> Teapot.Request?)? = nil
    ) async throws -> [Value] {
        var values: [Value] = []
        let next = next.map { next in { @Sendable (value: Value, _: Teapot.Response) in next(value) } }
        for try await page in teapot.pages(first, as: type, next: next) {
            values.append(page.value)
            note(page.response, after: "page \(values.count) of \(first.path)")
        }
        return values
    }
}
