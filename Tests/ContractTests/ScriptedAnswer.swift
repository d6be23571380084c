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

    var script: Script {
        let length = status == 204 ? [] : [(name: "Content-Length", value: "\(body.count)")]
        let lines = (fields + length + [("Connection", "close")]).map { "\($0.name): \($0.value)\r\n" }.joined()
        return Script([.send(Data("HTTP/1.1 \(status) Tea\r\n\(lines)\r\n".utf8) + body), .close])
    }

    fileprivate var mocked: MockResponse {
        let fields = Dictionary(fields.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
        return .data(body, contentType: "text/plain", status: .init(rawValue: status), headerFields: fields)
    }
}

extension Backend {
    /// Those that can give any answer.
    static var scriptable: [Backend] { available.filter { $0 != .httpbin } }

    /// A transport of its own; that of `URLSession` for the mock.
    var transport: any Transport {
        #if os(Linux)
            if self == .curl { return CurlTransport() }
        #endif
        return self == .cached ? CachingTransport() : URLSessionTransport()
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
