import ForeignTransport
import Foundation
import LoopbackServer
import Teapot
import TeapotCache
import TeapotCurl
import TeapotMock

/// A response that each backend gives in its own way: a server sends its bytes, and the mock has its parts.
struct ScriptedAnswer: Sendable {
    var status = 200
    /// In the order in which they are sent.
    var fields: [(name: String, value: String)] = []
    var body = Data()

    /// A response with a text as its body.
    init(_ status: Int = 200, _ fields: [(name: String, value: String)] = [], _ body: String = "") {
        self.init(status, fields, Data(body.utf8))
    }

    init(_ status: Int = 200, _ fields: [(name: String, value: String)] = [], _ body: Data) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// The number of bytes of the body after which the connection is lost; `nil` for none.
    private var breaksOffAfter: Int?
    /// The number of bytes of the body that are sent at a time; `nil` for all.
    var pieceSize: Int?
    /// Whether it does not come before the test is over.
    var isHeld = false
    /// Whether a server sends the body in chunks, without its length.
    var isChunked = false

    /// The same, broken off after so many bytes of the body.
    func breakingOff(after count: Int) -> ScriptedAnswer {
        var answer = self
        answer.breaksOffAfter = count
        return answer
    }

    private var pieces: [Data] {
        let sent = body.prefix(breaksOffAfter ?? body.count)
        let size = max(pieceSize ?? sent.count, 1)
        return stride(from: 0, to: sent.count, by: size).map { Data(sent.dropFirst($0).prefix(size)) }
    }

    var script: Script {
        if isHeld { return Script([.stall]) }
        let length =
            isChunked
            ? [(name: "Transfer-Encoding", value: "chunked")]
            : status == 204 ? [] : [(name: "Content-Length", value: "\(body.count)")]
        let lines = (fields + length + [("Connection", "close")]).map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = Data("HTTP/1.1 \(status) Tea\r\n\(lines)\r\n".utf8)
        var pieces = pieces
        if isChunked {
            pieces = pieces.map { Data("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Data("\r\n".utf8) }
            if breaksOffAfter == nil { pieces.append(Data("0\r\n\r\n".utf8)) }
        }
        let first = pieceSize == nil ? [pieces.reduce(head, +)] : [head] + pieces
        return Script(first.map { .send($0) } + [.close])
    }

    var mocked: MockResponse {
        var fields = Dictionary(fields.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
        if breaksOffAfter != nil { fields["Content-Length"] = "\(body.count)" }
        let mediaType = fields["Content-Type"] ?? "text/plain"
        let status = MockTeapot.StatusCode(rawValue: status)
        let response =
            pieceSize == nil
            ? MockResponse.data(Data(pieces.joined()), contentType: mediaType, status: status, headerFields: fields)
            : .pieces(pieces, contentType: mediaType, status: status, headerFields: fields)
        if isHeld { return response.delayed(by: .seconds(3_600)) }
        return breaksOffAfter == nil ? response : response.breakingOff()
    }
}

extension Backend {
    /// Those that can give any answer.
    static var scriptable: [Backend] { available.filter { $0 != .httpbin } }

    /// Those that differ in the transport that connects to a server.
    static var carriers: [Backend] { scriptable.filter { $0 != .mock && $0 != .cached } }

    /// A transport of its own; that of `URLSession` for the mock.
    var transport: any Transport {
        #if os(Linux)
            if self == .curl { return CurlTransport() }
        #endif
        return switch self {
        case .cached: CachingTransport()
        case .foreign: SocketTransport()
        default: URLSessionTransport()
        }
    }

    /// A client that gets an answer for each path, such as `/tea`, and the server that gives it, if there is one.
    func teapot(answering answers: [String: ScriptedAnswer]) throws -> (Teapot, LoopbackServer?) {
        if self == .mock {
            let mock = MockTeapot(bundle: .module)
            for (path, answer) in answers { try mock.overrideEndPoint(path, with: answer.mocked) }
            return (mock, nil)
        }
        let scripts = answers.mapValues(\.script)
        let server = try LoopbackServer { scripts[$0.path] }
        let queue = DispatchQueue(label: "contract")
        let teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: queue, transport: transport)
        teapot.timeoutInterval = 60
        return (teapot, server)
    }
}
