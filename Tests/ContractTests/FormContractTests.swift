import Teapot
import TestSupport
import TestTraits
import Testing

/// Forms, as servers read them.
@Suite(.inTurn)
struct FormContractTests {
    struct Echo: Decodable, Sendable {
        let form: [String: String]
        let files: [String: String]
        let headers: [String: String]
    }

    @Test(arguments: Backend.servers)
    func `fields and files`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let folder = try TemporaryFolder()
        try folder.write("from disk", to: "tea.txt")
        var form = MultipartFormData()
        form.append("green", name: "kind")
        form.append("", name: "empty")
        form.append("a=b&c\r\nd--\(form.boundary)", name: "hostile value")
        form.append(Data("from memory".utf8), name: "memory", filename: "memory.txt", contentType: "text/plain")
        form.append(file: folder.file("tea.txt"), name: "disk")
        let bytes = Data((0...255).map { UInt8($0) }) + Data("\r\n--\r\n".utf8)
        form.append(bytes, name: "bytes", filename: "bytes.bin")
        let echo = try await teapot.send(Teapot.Request(.post, path: "post", body: form.body()), as: Echo.self)
        #expect(
            echo.form == ["kind": "green", "empty": "", "hostile value": "a=b&c\r\nd--\(form.boundary)"]
        )
        let encoded = "data:application/octet-stream;base64,\(bytes.base64EncodedString())"
        #expect(echo.files == ["memory": "from memory", "disk": "from disk", "bytes": encoded])
        #expect(echo.headers["Content-Type"] == form.contentType)
        withExtendedLifetime(folder) {}
    }

    private static let texts = [
        "plain", "two words", "a+b", "a&b=c;d", "ümläut 日本語 😀", "50%41", "line\r\nbreak", "~!*'()-._", "\"quoted\" \\",
        "",
    ]

    @Test(arguments: Backend.servers)
    func `an encoded form is read as it was written`(backend: Backend) async throws {
        let items = Teapot.QueryItems(Self.texts.map { URLQueryItem(name: "name " + $0, value: $0) })
        let echo = try await backend.teapot().send(
            Teapot.Request(.post, path: "post", body: .form(items)),
            as: Echo.self
        )
        #expect(echo.form == Dictionary(uniqueKeysWithValues: Self.texts.map { ("name " + $0, $0) }))
        #expect(echo.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    /// A name, as httpbin reads it: it undoes only the escapes of the quotation mark and of the backslash.
    static let names: [(String, String)] = [
        ("plain", "plain"), ("two words", "two words"), (#"quo"ted"#, #"quo"ted"#), ("\"", "\""),
        ("cr\r\nlf", "cr%0D%0Alf"), ("lf\nX-Evil: 1", "lf%0D%0AX-Evil: 1"), (#"back\slash"#, #"back\slash"#),
        ("ümläut", "ümläut"), ("日本語 😀", "日本語 😀"), ("a;b=c", "a;b=c"), ("50%", "50%"), ("a%22b", "a\"b"),
        ("'single'", "'single'"), ("../../etc/passwd", "../../etc/passwd"), ("a,b", "a,b"),
    ]

    @Test(arguments: Backend.servers, brief(names))
    func `hostile names`(backend: Backend, row: Brief<(String, String)>) async throws {
        let teapot = try backend.teapot()
        let (name, received) = row.value
        var form = MultipartFormData()
        form.append("before", name: "before")
        form.append("value", name: name)
        // The name of the file is hostile, too: would it end the header field, the file would be another, or none.
        form.append(Data("file".utf8), name: "file of " + name, filename: name)
        form.append("after", name: "after")
        let echo = try await teapot.send(Teapot.Request(.post, path: "post", body: form.body()), as: Echo.self)
        #expect(echo.form == ["before": "before", received: "value", "after": "after"])
        #expect(echo.files == ["file of " + received: "file"])
    }
}
