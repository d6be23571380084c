import LoopbackServer
import Teapot
import TeapotCurl
import TestTraits
import Testing

/// Cookies that servers set and see.
@Suite(.inTurn)
struct CookieContractTests {
    /// The `Set-Cookie` fields of a response, and the cookies that are stored: with the fields as received, and with the fields
    /// joined, as FoundationNetworking does.
    struct Setting: Sendable {
        var fields: [String]
        var stored: [String]
        var storedIfJoined: [String]?
    }

    private static let settings = [
        Setting(
            fields: ["theme=blue, role=admin; Path=/"],
            stored: ["theme=blue, role=admin"],
            storedIfJoined: ["role=admin", "theme=blue"]
        ),
        Setting(fields: ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"], stored: ["a=1", "b=2"]),
        Setting(fields: ["a=1; Expires=Wednesday, 09-Jun-49 10:18:14 GMT; Path=/"], stored: ["a=1"]),
        Setting(fields: ["a=1; Expires=Wed, x=1; Path=/"], stored: ["a=1"]),
        Setting(fields: ["a=\"x, admin=true\"; Path=/", "b=2"], stored: ["a=\"x, admin=true\"", "b=2"]),
        Setting(fields: ["a=\"x, b=2"], stored: ["a=\"x, b=2"], storedIfJoined: ["a=\"x", "b=2"]),
        Setting(fields: ["a=x,y=z"], stored: ["a=x,y=z"]),
        Setting(fields: ["a=x, y", "b=2"], stored: ["a=x, y", "b=2"]),
        Setting(fields: ["a=1,", "b=2"], stored: ["a=1,", "b=2"]),
        Setting(fields: ["a=1", "a=2"], stored: ["a=2"]),
        Setting(fields: ["a=1, b=2; Max-Age=0"], stored: [], storedIfJoined: ["a=1"]),
        Setting(fields: ["a=1; Path=/, b=2"], stored: ["a=1"], storedIfJoined: ["a=1", "b=2"]),
        Setting(fields: ["=x, b=2"], stored: [], storedIfJoined: ["b=2"]),
        Setting(fields: ["a", "b=2"], stored: ["b=2"]),
    ]

    /// The cookies that a client stores after each response.
    private func stored(_ settings: [Setting], over transport: any Transport) async throws -> [[String]] {
        let server = try LoopbackServer(
            scripts: settings.map { setting in
                let fields = setting.fields.map { "Set-Cookie: \($0)\r\n" }.joined()
                let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n"
                return Script([.readRequest, .send("\(head)\(fields)\r\n"), .close])
            }
        )
        var all: [[String]] = []
        for _ in settings {
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            try await teapot.get("get", timeoutInterval: 60)
            all.append(teapot.cookies.all.map { "\($0.name)=\($0.value)" }.sorted())
        }
        return all
    }

    @Test func `URLSession joins fields, and an ambiguous comma separates two cookies`() async throws {
        let stored = try await stored(Self.settings, over: URLSessionTransport())
        #expect(stored == Self.settings.map { ($0.storedIfJoined ?? $0.stored).sorted() })
    }

    #if os(Linux)
        @Test func `CurlTransport keeps fields apart, and a field sets one cookie`() async throws {
            let stored = try await stored(Self.settings, over: CurlTransport())
            #expect(stored == Self.settings.map { $0.stored.sorted() })
        }
    #endif
}
