import LoopbackServer
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// A line, run by a shell and `curl`: the server receives the same request as from Teapot.
@Suite(.serialized, .firstInTurn)
struct CurlRunTests {
    /// Header fields that each adds by itself, and that differ unless the caller sets them.
    private static let ownNames: Set<String> = ["user-agent", "accept-encoding"]

    struct Call: Sendable, CustomTestStringConvertible {
        let request: Teapot.Request
        let testDescription: String

        init(
            _ what: String,
            _ method: Teapot.HTTPMethod = .get,
            _ path: String = "",
            fields: [String: String] = [:],
            body: Teapot.Request.Body? = nil
        ) {
            testDescription = what
            request = Teapot.Request(method, path: Teapot.Path(path), headerFields: fields, body: body).with {
                $0.timeoutInterval = 60
            }
        }

        init(text: String, of what: String, contentType: String = "text/plain") {
            self.init(what, .post, body: Teapot.Request.Body(Data(text.utf8), contentType: contentType))
        }

        init(bytes: [UInt8], of what: String) {
            self.init(what, .put, body: Teapot.Request.Body(Data(bytes)))
        }
    }

    /// Text that a shell or curl could misread.
    private static let hostile =
        ##"it's "quoted" \n \\ $HOME ${HOME} $(id) `id` !! !x $'a' # ; | & > < * ? ~ ^x^y^ %s %"##

    static let calls: [Call] = [
        Call("GET"), Call("HEAD", .head), Call("DELETE", .delete), Call("POST without a body", .post),
        Call("PUT without a body", .put), Call("OPTIONS", "OPTIONS"),
        Call("a method of a shell's characters", "it's!x$HOME`id`"),
        Call("DELETE of no bytes", .delete, body: Teapot.Request.Body(Data())),
        Call("a query", .get, "a b/ü?q=a+b%26c&d=&&e=1#f"),
        Call("what is encoded in the URL", .get, "[1-3]/{a,b}?q=[x]&r={a,b}"),
        Call("a shell's characters in the URL", .get, "it's/$HOME/$(id)/`id`/!x;a,b*c~d?e=$HOME&f='g'&h=!!"),
        Call("dots in the URL", .get, "a/../b/./c/...?d=../e"),
        Call("fields of a shell's characters", .get, fields: ["X-A": hostile, "X-B": "'", "x-c": "''\\"]),
        Call(
            "fields that are not ASCII",
            .get,
            fields: ["X-A": "ü 漢字 🫖 👩‍👩‍👧", "X-B": "'\u{301} e\u{301}", "X-C": "\u{202E}\u{2028}\u{200B}\u{85}"]
        ),
        Call("fields of blanks", .get, fields: ["X-A": "", "X-B": "  ", "X-C": " a\tb ", "X-D": "\u{7F}\u{1B}[2J"]),
        Call("fields that begin like something else", .get, fields: ["X-A": "@/etc/hosts", "-X-B": "-", "--url": "x"]),
        Call("names of a shell's characters", .get, fields: ["X-!x$HOME`id`": "a", "X'": "b", "~": "c", "*": ""]),
        Call(
            "fields that curl has of its own",
            .get,
            fields: ["Accept": "text/plain", "User-Agent": "Tea/1", "Accept-Encoding": "identity"]
        ),
        Call("other fields that curl has of its own", .get, fields: ["Accept": "", "Cookie": "a=b; c=\"d\""]),
        Call("JSON", .patch, body: Teapot.Request.Body(Data(##"{"a":"it's ü \" \\ \u0000 $x","b":[1,{}]}"##.utf8))),
        Call(text: hostile, of: "a shell's characters"), Call(text: "@/etc/hosts", of: "an at sign"),
        Call(text: "a\r\nb\n\n\tc\n", of: "line breaks"), Call(text: "\n\\\n", of: "a line break at the beginning"),
        Call(text: "'\u{301}\u{202E}\u{FEFF}\u{2029}\u{85}!\\x41\\u0041\\", of: "characters that are not seen"),
        Call(text: "", of: "nothing"), Call(text: "-x", of: "a minus"), Call(text: "a\0b", of: "a NUL"),
        Call(text: "\u{FEFF}x", of: "a byte order mark"),
        Call(text: "a=b&c=%41+d", of: "a form", contentType: "application/x-www-form-urlencoded"),
        Call(text: "no type", of: "no type", contentType: ""),
        Call(bytes: Array(0...255), of: "all bytes"), Call(bytes: [0xC3], of: "half a letter"),
        Call(bytes: Array(repeating: 0x61, count: 1_500), of: "1,500 bytes"),
        Call(text: String(repeating: "Tee mit Milch, ü'\n", count: 11_000), of: "200 KB of text"),
        // Only one byte is not text: each such byte throws an error, and Swift Testing records the backtrace of each error.
        Call(bytes: [0xC3] + Array(repeating: 0x61, count: 200_000), of: "200 KB of bytes"),
        Call(bytes: [0xC3] + Array(repeating: 0x61, count: 1_100_000), of: "more than a megabyte"),
    ]

    @Test(arguments: calls)
    func `sends the same request`(call: Call) async throws {
        try await expectSameRequest(call.request)
    }

    @Test(arguments: [0, 3, 2_000_000])
    func `sends the same file`(size: Int) async throws {
        let folder = try TemporaryFolder()
        let name = "it's ü $HOME \u{202E}@;type=x"
        try GeneratedFile.bytes(0..<size).write(to: folder.file(name))
        let body = Teapot.Request.Body.file(folder.file(name))
        try await expectSameRequest(Call("file", .put, body: body).request)
    }

    /// The type of a body for which none is given.
    @Test(arguments: [Teapot.HTTPMethod.post, .put, .patch, .delete])
    func `sends the same after plugins`(method: Teapot.HTTPMethod) async throws {
        let plugins: [any Teapot.Plugin] = [
            Credential.basic(username: "it's", password: "ü!"), Credential(headerField: "X-API-Key", value: "$k"),
            TypeRemoval(),
        ]
        let folder = try TemporaryFolder()
        try folder.write("a=b", to: "body")
        for body in [Teapot.Request.Body(Data("a=b".utf8)), Teapot.Request.Body.file(folder.file("body"))] {
            try await expectSameRequest(Call("plugins", method, body: body).request, after: plugins)
        }
    }

    /// The path of a base URL stays as it is, dots and all.
    @Test(arguments: ["anything/a/../b/./c", "anything/%2e%2e/x", "anything//x", "anything/..;/x"])
    func `sends the same below a path with dots`(path: String) async throws {
        try await expectSameRequest(Call("dots").request, path: path)
    }

    // MARK: - Both ways

    /// Takes the type from a body.
    private struct TypeRemoval: Teapot.Plugin {
        func prepare(_ request: inout URLRequest) {
            request.setValue(nil, forHTTPHeaderField: "Content-Type")
        }
    }

    private func expectSameRequest(
        _ request: Teapot.Request,
        path: String = "anything/",
        after plugins: [any Teapot.Plugin] = []
    ) async throws {
        let server = try LoopbackServer()
        let lines = Locked<[String]>([])
        let printer = CurlPrinter(showsSecrets: true) { line in lines.withLock { $0.append(line) } }
        let baseURL = try #require(URL(string: "\(server.baseURL)/\(path)"))
        let teapot = Teapot(baseURL: baseURL)
        teapot.plugins = plugins + [printer]
        _ = await outcome(of: request, from: teapot)
        let line = try #require(lines.withLock { $0.count == 1 ? $0.first : nil })
        #expect(server.requests.count == 1)
        try await Self.run(line)
        let requests = server.requests
        try #require(requests.count == 2)
        let (sent, run) = (requests[0], requests[1])
        #expect(run.method == sent.method)
        #expect(run.target == sent.target)
        #expect(run.version == sent.version)
        #expect(Self.fields(of: run, from: request) == Self.fields(of: sent, from: request))
        let hasSameBody = run.body == sent.body
        #expect(hasSameBody, "\(run.body.count) bytes instead of \(sent.body.count)")
    }

    private static func fields(of received: ReceivedRequest, from request: Teapot.Request) -> [String] {
        let named = Set(request.headerFields.keys.map { $0.lowercased() })
        return received.headers
            .filter { !ownNames.subtracting(named).contains($0.name.lowercased()) }
            .map { "\($0.name): \($0.value)" }
            .sorted()
    }

    /// Runs a line as if it was typed, with the history on, which has an exclamation mark of its own.
    private static func run(_ line: String) async throws {
        let folder = try TemporaryFolder()
        let script = """
            exec </dev/null 2>'\(folder.file("errors").path)'
            set -o history -o histexpand
            \(line) --max-time 60 --silent --show-error --output /dev/null

            """
        try folder.write(script, to: "script")
        // Without the curl settings of the user who runs the tests.
        let homes = ["HOME", "CURL_HOME", "XDG_CONFIG_HOME"].map { "\($0)=\(folder.url.path)" }
        let command = ["/usr/bin/env"] + homes + ["/bin/bash", folder.file("script").path]
        let status = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try spawn(command) }) }
        }
        let errors = folder.text("errors") ?? ""
        #expect(status != 127, "these tests need curl: \(errors)")
        #expect(status == 0, "exit status \(status): \(errors)")
        #expect(errors.isEmpty)
    }

    /// Runs a command, and blocks until it has ended. Foundation's `Process` ends the process that uses it now and then, where
    /// many run at once.
    ///
    /// - Returns: Its exit status; 127 if there is no such command.
    private static func spawn(_ command: [String]) throws -> Int32 {
        var arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child = pid_t()
        let failure = posix_spawn(&child, command[0], nil, nil, &arguments, environ)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOEXEC) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECHILD) }
        }
        // `WIFEXITED` and `WEXITSTATUS`; after a signal, the status of a shell.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
