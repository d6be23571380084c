import Foundation

// What the page "Clients from an OpenAPI document" uses of the modules HTTPTypes and OpenAPIRuntime, with their signatures.

// MARK: - HTTPTypes

struct HTTPField: Sendable, Hashable {
    struct Name: Sendable, Hashable {
        let rawName: String
        let canonicalName: String

        init?(_ name: String) {
            guard !name.isEmpty else { return nil }
            (rawName, canonicalName) = (name, name.lowercased())
        }

        private init(known name: String) { (rawName, canonicalName) = (name, name.lowercased()) }

        static var contentLength: Self { Self(known: "Content-Length") }

        static func == (lhs: Self, rhs: Self) -> Bool { lhs.canonicalName == rhs.canonicalName }
        func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
    }

    var name: Name
    var value: String

    init(name: Name, value: String) { (self.name, self.value) = (name, value) }
}

struct HTTPFields: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    private var fields: [HTTPField] = []

    init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        fields = elements.map { HTTPField(name: $0, value: $1) }
    }

    subscript(name: HTTPField.Name) -> String? {
        get {
            let values = fields.filter { $0.name == name }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: name.canonicalName == "cookie" ? "; " : ", ")
        }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append(HTTPField(name: name, value: newValue)) }
        }
    }

    var startIndex: Int { fields.startIndex }
    var endIndex: Int { fields.endIndex }
    subscript(position: Int) -> HTTPField { fields[position] }
}

struct HTTPRequest: Sendable, Hashable {
    struct Method: Sendable, Hashable {
        let rawValue: String

        init?(_ method: String) { rawValue = method }
    }

    var method: Method
    var scheme: String?
    var authority: String?
    var path: String?
    var headerFields: HTTPFields

    init(method: Method, scheme: String?, authority: String?, path: String?, headerFields: HTTPFields = [:]) {
        (self.method, self.scheme, self.authority) = (method, scheme, authority)
        (self.path, self.headerFields) = (path, headerFields)
    }
}

struct HTTPResponse: Sendable, Hashable {
    struct Status: Sendable, Hashable {
        let code: Int
        let reasonPhrase: String

        init(code: Int, reasonPhrase: String = "") { (self.code, self.reasonPhrase) = (code, reasonPhrase) }
    }

    var status: Status
    var headerFields: HTTPFields

    init(status: Status, headerFields: HTTPFields = [:]) { (self.status, self.headerFields) = (status, headerFields) }
}

// MARK: - OpenAPIRuntime

protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

final class HTTPBody: AsyncSequence, @unchecked Sendable {
    typealias ByteChunk = ArraySlice<UInt8>

    enum IterationBehavior: Sendable { case single, multiple }

    enum Length: Sendable, Equatable {
        case unknown
        case known(Int64)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let read: () async throws -> ByteChunk?

        mutating func next() async throws -> ByteChunk? { try await read() }
    }

    let iterationBehavior: IterationBehavior
    let length: Length
    private let makeRead: () -> () async throws -> ByteChunk?

    init<Bytes: AsyncSequence>(
        _ sequence: Bytes,
        length: HTTPBody.Length,
        iterationBehavior: IterationBehavior
    ) where Bytes: Sendable, Bytes.Element: Sequence & Sendable, Bytes.Element.Element == UInt8 {
        (self.length, self.iterationBehavior) = (length, iterationBehavior)
        makeRead = {
            var iterator = sequence.makeAsyncIterator()
            return { try await iterator.next().map { ArraySlice($0) } }
        }
    }

    convenience init(_ bytes: some Collection<UInt8> & Sendable) {
        let length = Int64(bytes.count)
        self.init(Piece(bytes: ArraySlice(bytes)), length: .known(length), iterationBehavior: .multiple)
    }

    func makeAsyncIterator() -> Iterator { Iterator(read: makeRead()) }
}

private struct Piece: AsyncSequence, Sendable {
    let bytes: HTTPBody.ByteChunk

    func makeAsyncIterator() -> AsyncStream<HTTPBody.ByteChunk>.Iterator {
        let (stream, continuation) = AsyncStream.makeStream(of: HTTPBody.ByteChunk.self)
        continuation.yield(bytes)
        continuation.finish()
        return stream.makeAsyncIterator()
    }
}

extension Data {
    init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self.init()
        for try await chunk in body {
            guard chunk.count <= maxBytes - count else { throw CocoaError(.fileReadTooLarge) }
            append(contentsOf: chunk)
        }
    }
}

// MARK: - What is generated

enum Servers {
    enum Server1 {
        static func url() throws -> URL { URL(filePath: "/") }
    }
}

struct Client: Sendable {
    let serverURL: URL
    let transport: any ClientTransport
}
