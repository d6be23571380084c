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
            storedIfJoined: ["theme=blue", "role=admin"]
        ),
        Setting(fields: ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"], stored: ["a=1", "b=2"]),
        Setting(fields: ["a=1; Expires=Wednesday, 09-Jun-49 10:18:14 GMT; Path=/"], stored: ["a=1"]),
        Setting(fields: ["a=1; Expires=Wed, x=1; Path=/"], stored: ["a=1"], storedIfJoined: ["a=1", "x=1"]),
        Setting(fields: ["seen=Wed, 09 Jun 2100 10:18:14 GMT"], stored: ["seen=Wed, 09 Jun 2100 10:18:14 GMT"]),
        Setting(fields: ["a=\"x, admin=true\"; Path=/", "b=2"], stored: ["a=\"x, admin=true\"", "b=2"]),
        Setting(fields: ["a=\"x, b=2"], stored: ["a=\"x, b=2"], storedIfJoined: ["a=\"x", "b=2"]),
        Setting(fields: ["a=x,y=z"], stored: ["a=x,y=z"]),
        Setting(fields: ["a=x, y", "b=2"], stored: ["a=x, y", "b=2"], storedIfJoined: ["a=x", "b=2"]),
        Setting(fields: ["a=x,"], stored: ["a=x,"], storedIfJoined: ["a=x"]),
        Setting(fields: ["a=1,", "b=2"], stored: ["a=1,", "b=2"]),
        Setting(fields: ["a=1", "a=2"], stored: ["a=2"]),
        Setting(fields: ["a=1, b=2; Max-Age=0"], stored: [], storedIfJoined: ["a=1"]),
        Setting(fields: ["a=1; Path=/, b=2"], stored: ["a=1; Path=/, b=2"], storedIfJoined: ["a=1", "b=2"]),
        Setting(fields: ["=x, b=2"], stored: [], storedIfJoined: ["b=2"]),
        Setting(fields: ["a", "b=2"], stored: ["b=2"]),
        // Text that is no cookie, and names of any kind, behind an attribute.
        Setting(fields: ["a=1", "flag", "b=2"], stored: ["a=1", "b=2"]),
        Setting(fields: ["a=1; Path=/get", "novalue; Path=/"], stored: ["a=1; Path=/get"]),
        Setting(fields: ["a=1; Path=/get", "=x", "b=2"], stored: ["a=1; Path=/get", "b=2"]),
        Setting(fields: ["a=1; Path=/get", "", "b=2"], stored: ["a=1; Path=/get", "b=2"]),
        Setting(fields: ["a=1; Path=/get", ""], stored: ["a=1; Path=/get"]),
        Setting(fields: ["a=1; Path=/get", "b[x]=2; Path=/"], stored: ["a=1; Path=/get", "b[x]=2"]),
        Setting(fields: ["a=1; Path=/get", "ü=2"], stored: ["a=1; Path=/get", "ü=2"]),
        Setting(fields: ["a=1", "a=; Max-Age=0", "novalue"], stored: []),
        Setting(fields: ["a=1; Note=x, y; Max-Age=0"], stored: []),
        Setting(fields: ["a=1; Path=/get, b; Path=/"], stored: ["a=1"], storedIfJoined: ["a=1; Path=/get"]),
        // Tabs, and control characters of two bytes.
        Setting(fields: ["a\t=\t1\t2\t;\tPath=/get"], stored: ["a=1\t2; Path=/get"]),
        Setting(fields: ["a=\u{80}\u{9F}"], stored: ["a=\u{80}\u{9F}"]),
        // The order of creation.
        Setting(fields: ["z=1", "m=1", "a=1", "m=2"], stored: ["z=1", "m=2", "a=1"]),
    ]

    /// The cookies that a client stores after each response, in the order in which it sends them. A path is named unless it is `/`.
    private func stored(_ settings: [Setting], over transport: any Transport) async throws -> [[String]] {
        let server = try LoopbackServer()
        var all: [[String]] = []
        for setting in settings {
            let fields = setting.fields.map { "Set-Cookie: \($0)\r\n" }.joined()
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n"
            server.run(Script([.readRequest, .send("\(head)\(fields)\r\n"), .close]))
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            try await teapot.get("get", timeoutInterval: 60)
            let cookies = teapot.cookies.all
            all.append(cookies.map { "\($0.name)=\($0.value)\($0.path == "/" ? "" : "; Path=\($0.path)")" })
            guard cookies.allSatisfy({ $0.path == "/" }) else { continue }
            try await teapot.get("get", headerFields: ["Connection": "close"], timeoutInterval: 60)
            let sent = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            #expect(server.requests.last?.header("Cookie") ?? "" == sent)
        }
        return all
    }

    @Test func `URLSession joins fields, and an ambiguous comma separates two cookies`() async throws {
        let stored = try await stored(Self.settings, over: URLSessionTransport())
        #expect(stored == Self.settings.map { $0.storedIfJoined ?? $0.stored })
    }

    #if os(Linux)
        @Test func `CurlTransport keeps fields apart, and a field sets one cookie`() async throws {
            let stored = try await stored(Self.settings, over: CurlTransport())
            #expect(stored == Self.settings.map(\.stored))
        }
    #endif
}
