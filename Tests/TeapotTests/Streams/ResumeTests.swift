import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// Downloads that continue where an earlier one broke off.
@Suite(.inTurn)
struct ResumeTests {
    private let folder: TemporaryFolder
    private static let tag = ["ETag": #""v1""#, "Content-Length": "9"]

    init() throws {
        folder = try TemporaryFolder()
    }

    private func download(
        _ path: String = "tea?token=s3cret",
        headerFields: [String: String] = [:],
        progress: (@Sendable (Teapot.TransferProgress) -> Void)? = nil,
        answer: @escaping @Sendable (ManualTransport.Hop) -> Void
    ) async throws -> (response: Teapot.Response?, error: TeapotError?, requests: [URLRequest]) {
        let transport = ManualTransport(atOnce: answer)
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        do throws(TeapotError) {
            let response = try await teapot.download(
                Teapot.Request(path: Teapot.Path(path), headerFields: headerFields).with {
                    $0.timeoutInterval = .infinity
                },
                to: folder.file("tea.txt"),
                resumes: true,
                progress: progress
            )
            return (response, nil, transport.hops.map(\.request))
        } catch {
            return (nil, error, transport.hops.map(\.request))
        }
    }

    @Test func `a download that is cancelled as it begins leaves no file`() async throws {
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: ManualTransport())
        for index in 0..<500 {
            let file = folder.file("\(index)")
            let task = Task {
                try await teapot.download(
                    Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity },
                    to: file,
                    resumes: true
                )
            }
            if index.isMultiple(of: 2) { await Task.yield() }
            task.cancel()
            _ = await task.result
        }
        #expect(folder.names.isEmpty)
    }

    /// Gets a part of a file, and breaks off.
    private func breakOff(_ headers: [String: String] = tag, after text: String = "Earl ") async throws {
        let (_, error, _) = try await download { hop in
            hop.respond(200, headers: headers)
            hop.report(.data(Data(text.utf8)))
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        #expect(error?.type == .dataTaskError)
    }

    private func answerRest(_ hop: ManualTransport.Hop, range: String = "bytes 4-8/9", body: String = " Grey") {
        hop.answer(206, headers: ["ETag": #""v1""#, "Content-Range": range], body: body)
    }

    private var partialNames: [String] { ["tea.txt.partial", "tea.txt.partial.json"] }

    // MARK: - Going on

    @Test func `a file that has become shorter leaves nothing of the old one`() async throws {
        try await breakOff(after: "Earl Grey")
        let folder = folder
        let during = Locked<[String]>([])
        let (response, _, _) = try await download { hop in
            hop.respond(200)
            during.withLock { $0 = folder.names }
            hop.report(.data(Data("Tea".utf8)))
            hop.report(.finished(nil))
        }
        #expect(response?.status == 200)
        #expect(folder.text("tea.txt") == "Tea")
        // If the process ended now, no later download would continue a part of the new file with the old record.
        #expect(during.withLock { $0 } == ["tea.txt.partial"])
    }

    @Test func `a cancelled download can be resumed`() async throws {
        let isUnderWay = Signal()
        let task = Task {
            try await download { hop in
                hop.respond(200, headers: Self.tag)
                hop.report(.data(Data("Earl ".utf8)))
                isUnderWay.fire()
            }
        }
        await isUnderWay.wait()
        task.cancel()
        #expect(try await task.value.error?.type == .cancelled)
        #expect(folder.names == partialNames)
        _ = try await download { answerRest($0) }
        #expect(folder.text("tea.txt") == "Earl Grey")
    }

    // MARK: - What cannot be gone on with

    @Test(
        arguments: [
            [:], ["ETag": #"W/"v1""#], ["ETag": #""v1""#, "Content-Encoding": "gzip"],
            ["Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT"],
            ["Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT", "Date": "Sat, 21 Nov 2026 10:00:00 GMT"],
            ["Last-Modified": "yesterday", "Date": "Sat, 21 Nov 2026 10:00:00 GMT"],
        ] as [[String: String]]
    )
    func `without a strong validator, nothing is kept`(headers: [String: String]) async throws {
        try await breakOff(headers)
        #expect(folder.names.isEmpty)
    }

    @Test func `a response without a body leaves nothing`() async throws {
        _ = try await download { hop in
            hop.respond(200, headers: Self.tag)
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `a part from another source is not resumed`() async throws {
        try await breakOff()
        let (_, _, requests) = try await download("coffee") { $0.answer(200, body: "Mocha") }
        #expect(requests.first?.value(forHTTPHeaderField: "Range") == nil)
        #expect(folder.text("tea.txt") == "Mocha")
        #expect(folder.names == ["tea.txt"])
    }

    @Test(arguments: [
        "", "{", "[]", #"{"source":1}"#,
        #"{"source":"http://api.example/v1/tea?token=%3Credacted%3E","validator":"\"v1\"\r\nX: y"}"#,
    ])
    func `an invalid record is ignored`(record: String) async throws {
        try await breakOff()
        try folder.write(record, to: "tea.txt.partial.json")
        let (_, _, requests) = try await download { $0.answer(200, body: "Earl Grey") }
        #expect(requests.first?.value(forHTTPHeaderField: "Range") == nil)
        #expect(folder.text("tea.txt") == "Earl Grey")
        #expect(folder.names == ["tea.txt"])
    }

    /// Without its entity tag it may be of any.
    static let headersOfOthers = [
        [:], ["ETag": ""], ["ETag": #""v2""#], ["ETag": #"W/"v1""#], ["ETag": #""v1""#, "Content-Encoding": "gzip"],
        ["Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT"],
    ]

    @Test(arguments: headersOfOthers)
    func `a part of another file is refused, and the whole is requested`(headers: [String: String]) async throws {
        try await breakOff()
        let folder = folder
        let between = Locked<[String]>([])
        let (response, _, requests) = try await download { hop in
            if hop.request.value(forHTTPHeaderField: "Range") != nil {
                return hop.answer(206, headers: headers.merging(["Content-Range": "bytes 4-8/9"]) { $1 }, body: "ONG!!")
            }
            between.withLock { $0 = folder.names }
            hop.answer(200, headers: ["ETag": #""v2""#], body: "Oolong")
        }
        #expect(response?.status == 200)
        #expect(requests.map { $0.value(forHTTPHeaderField: "Range") } == ["bytes=4-", nil])
        #expect(requests.map { $0.value(forHTTPHeaderField: "If-Range") } == [#""v1""#, nil])
        #expect(requests.last?.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
        #expect(between.withLock { $0 } == ["tea.txt.partial"])
        #expect(folder.text("tea.txt") == "Oolong")
        #expect(folder.names == ["tea.txt"])
    }

    /// A server that has no tag need not repeat the date (RFC 9110, section 15.3.7).
    @Test(arguments: [
        ([:], true), (["Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT"], true),
        (["Last-Modified": "Sat, 21 Nov 2026 10:00:01 GMT"], false), (["ETag": #""v1""#], false),
    ])
    func `a part with a date as its validator is resumed`(headers: [String: String], goesOn: Bool) async throws {
        let modified = "Sat, 21 Nov 2026 10:00:00 GMT"
        try await breakOff(["Last-Modified": modified, "Date": "Sat, 21 Nov 2026 10:00:01 GMT"])
        let (response, _, requests) = try await download { hop in
            guard hop.request.value(forHTTPHeaderField: "Range") != nil else { return hop.answer(200, body: "Oolong") }
            hop.answer(206, headers: headers.merging(["Content-Range": "bytes 4-8/9"]) { $1 }, body: " Grey")
        }
        #expect(requests.first?.value(forHTTPHeaderField: "If-Range") == modified)
        #expect(response?.status == (goesOn ? 206 : 200))
        #expect(folder.text("tea.txt") == (goesOn ? "Earl Grey" : "Oolong"))
    }

    @Test func `only a GET is resumed`() async throws {
        let transport = ManualTransport { $0.answer(200) }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        for (method, resumes) in [(Teapot.HTTPMethod.post, true), (.head, true), (.head, false)] {
            let error = await thrown { () throws(TeapotError) in
                try await teapot.download(
                    Teapot.Request(method, path: "tea"),
                    to: folder.file("tea.txt"),
                    resumes: resumes
                )
            }
            #expect(error?.type == .invalidPayload)
        }
        #expect(transport.hops.isEmpty)
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: [
        "bytes 3-8/9", "bytes 5-8/9", "bytes 4-8/8", "bytes 5-8/*", "bytes 4-3/*", "items 4-8/9", "",
        "bytes 4-8/9, bytes 5-8/9",
    ])
    func `a wrong part is an error, and the next call starts over`(range: String) async throws {
        try await breakOff()
        let (_, error, _) = try await download { answerRest($0, range: range) }
        #expect(error?.type == .fileError)
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: ["bytes 4-8/9", "bytes 4-8/9, bytes 4-8/9"])
    func `a part that names the size, even twice, is resumed after a response that did not`(range: String) async throws
    {
        try await breakOff(["ETag": #""v1""#])
        let last = Locked<Teapot.TransferProgress?>(nil)
        let (response, _, _) = try await download(progress: { report in last.withLock { $0 = report } }) {
            answerRest($0, range: range)
        }
        #expect(response?.status == 206)
        #expect(folder.text("tea.txt") == "Earl Grey")
        #expect(folder.names == ["tea.txt"])
        #expect(last.withLock { $0 } == Teapot.TransferProgress(bytes: 9, expectedBytes: 9))
    }

    /// The server may send less than it was asked for (RFC 9110, section 15.3.7).
    @Test func `the size is that of the first response, if a part does not name it`() async throws {
        try await breakOff()
        let (_, error, _) = try await download { answerRest($0, range: "bytes 4-6/*", body: " Gr") }
        #expect(error?.type == .dataTaskError)
        #expect(error?.failureReason == "only 7 of 9 bytes were received")
        _ = try await download { answerRest($0, range: "bytes 6-8/*", body: "rey") }
        #expect(folder.text("tea.txt") == "Earl Grey")
    }

    /// The server may send less than it was asked for: the end of the part is not the end of the file.
    @Test(arguments: [([:], "bytes 4-8/*"), ([:], "bytes 4-6/*"), (["Content-Length": "9"], "bytes 4-9/*")])
    func `a part is not the end of a file of an unknown size: the whole is requested`(
        headers: [String: String],
        range: String
    ) async throws {
        try await breakOff(headers.merging(["ETag": #""v1""#]) { $1 })
        let (response, error, requests) = try await download { hop in
            guard hop.request.value(forHTTPHeaderField: "Range") == nil else {
                return answerRest(hop, range: range, body: range == "bytes 4-6/*" ? " Gr" : " Grey")
            }
            hop.answer(200, headers: ["ETag": #""v1""#], body: "Earl Grey, hot")
        }
        #expect(error == nil)
        #expect(response?.status == 200)
        #expect(requests.map { $0.value(forHTTPHeaderField: "Range") } == ["bytes=4-", nil])
        #expect(folder.text("tea.txt") == "Earl Grey, hot")
        #expect(folder.names == ["tea.txt"])
    }

    @Test func `a part that is too short can be resumed`() async throws {
        try await breakOff()
        let (_, error, _) = try await download { answerRest($0, range: "bytes 4-6/9", body: " Gr") }
        #expect(error?.type == .dataTaskError)
        #expect(error?.failureReason == "only 7 of 9 bytes were received")
        _ = try await download { answerRest($0, range: "bytes 6-8/9", body: "rey") }
        #expect(folder.text("tea.txt") == "Earl Grey")
    }

    /// More bytes than the part has, although the file has room for them; another length; another size than before; and the byte
    /// that was asked for again is another.
    @Test(
        arguments: [
            (" Grey tea", ["Content-Range": "bytes 4-8/9"]), (" Grey", ["Content-Range": "bytes 4-6/9"]),
            (" Grey", ["Content-Range": "bytes 4-8/9", "Content-Length": "9"]),
            (" Grey!", ["Content-Range": "bytes 4-9/10"]), ("-Grey", ["Content-Range": "bytes 4-8/9"]),
        ] as [(String, [String: String])]
    )
    func `a part that contradicts its fields is not kept, and the whole is requested`(
        body: String,
        fields: [String: String]
    ) async throws {
        try await breakOff()
        let (response, _, requests) = try await download { hop in
            guard hop.request.value(forHTTPHeaderField: "Range") != nil else {
                return hop.answer(200, body: "Earl Grey")
            }
            hop.respond(206, headers: fields.merging(["ETag": #""v1""#]) { $1 })
            for character in body { hop.report(.data(Data("\(character)".utf8))) }
            hop.report(.finished(nil))
        }
        #expect(response?.status == 200)
        #expect(requests.map { $0.value(forHTTPHeaderField: "Range") } == ["bytes=4-", nil])
        #expect(folder.text("tea.txt") == "Earl Grey")
        #expect(folder.names == ["tea.txt"])
    }

    @Test(arguments: ["", " Gr"])
    func `a part that ends before its end is not kept`(body: String) async throws {
        try await breakOff()
        let (_, error, _) = try await download { answerRest($0, body: body) }
        #expect(error?.type == .dataTaskError)
        #expect(error?.failureReason == "only \(4 + body.utf8.count) of 9 bytes were received")
        #expect(folder.names.isEmpty)
    }

    @Test func `a part that breaks off is kept`() async throws {
        try await breakOff()
        _ = try await download { hop in
            hop.respond(206, headers: ["ETag": #""v1""#, "Content-Range": "bytes 4-8/9", "Content-Length": "5"])
            hop.report(.data(Data(" Gr".utf8)))
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        _ = try await download { answerRest($0, range: "bytes 6-8/9", body: "rey") }
        #expect(folder.text("tea.txt") == "Earl Grey")
    }

    /// The first response did not name the size, the second one did.
    @Test func `a part that names another size than an earlier part is not kept`() async throws {
        try await breakOff(["ETag": #""v1""#])
        _ = try await download { answerRest($0, range: "bytes 4-6/9", body: " Gr") }
        let (response, _, requests) = try await download { hop in
            guard hop.request.value(forHTTPHeaderField: "Range") != nil else {
                return hop.answer(200, body: "Earl Grey")
            }
            answerRest(hop, range: "bytes 6-9/10", body: "rey!")
        }
        #expect(response?.status == 200)
        #expect(requests.map { $0.value(forHTTPHeaderField: "Range") } == ["bytes=6-", nil])
        #expect(folder.text("tea.txt") == "Earl Grey")
    }

    // MARK: - A part that the caller asks for

    @Test(
        arguments: [
            ("bytes=2-4", [:], "rl ", true), ("bytes=2-4", ["Content-Range": "bytes 2-4/9"], "rl ", true),
            ("bytes=2-4", ["Content-Range": "bytes 2-3/9"], "rl", true),
            ("bytes=2-", ["Content-Range": "bytes 2-3/*"], "rl", true),
            ("bytes=-2", ["Content-Range": "bytes 7-8/9"], "ey", true),
            ("bytes=2-4", ["Content-Range": "bytes 2-4/9", "Content-Encoding": "gzip"], "rl Grey", true),
            ("bytes=2-4", ["Content-Range": "bytes 2-4/9"], "rl G", false),
            ("bytes=2-4", ["Content-Range": "bytes 2-4/9"], "rl", false),
            ("bytes=2-4", ["Content-Range": "bytes 2-4/9", "Content-Length": "4"], "rl ", false),
            ("bytes=2-4", ["Content-Range": "bytes 1-3/9"], "arl", false),
            ("bytes=2-4", ["Content-Range": "bytes 2-5/9"], "rl G", false),
            ("bytes=2-", ["Content-Range": "bytes 0-3/9"], "Earl", false),
        ] as [(String, [String: String], String, Bool)]
    )
    func `has the bytes that its fields name`(range: String, fields: [String: String], body: String, isRight: Bool)
        async throws
    {
        let transport = ManualTransport { $0.answer(206, headers: fields, body: body) }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        let error = await thrown { () throws(TeapotError) in
            try await teapot.download(
                Teapot.Request(path: "tea", headerFields: ["range": range]),
                to: folder.file("tea.txt")
            )
        }
        #expect((error == nil) == isRight)
        #expect(folder.names == (isRight ? ["tea.txt"] : []))
        #expect(transport.hops.count == 1)
    }

    @Test(arguments: [(404, true), (503, true), (416, false)])
    func `a failure keeps the part, unless the file is gone`(status: Int, keeps: Bool) async throws {
        try await breakOff()
        let (_, error, _) = try await download { $0.answer(status, body: "no") }
        #expect(error?.responseStatus == status)
        #expect(folder.names == (keeps ? partialNames : []))
    }

    @Test func `without a response, any partial file is kept`() async throws {
        try await breakOff()
        for path in ["tea?token=s3cret", "coffee"] {
            _ = try await download(path) { $0.report(.finished(URLError(.timedOut))) }
            #expect(folder.names == partialNames)
            #expect(folder.text("tea.txt.partial") == "Earl ")
        }
    }

    // MARK: - Safety

    @Test func `two downloads do not write to one file`() async throws {
        let isUnderWay = Signal()
        let held = Locked<ManualTransport.Hop?>(nil)
        let first = Task {
            try await download { hop in
                hop.respond(200, headers: Self.tag)
                hop.report(.data(Data("Earl ".utf8)))
                held.withLock { $0 = hop }
                isUnderWay.fire()
            }
        }
        await isUnderWay.wait()
        let (_, error, requests) = try await download { $0.answer(200, body: "Oolong") }
        #expect(error?.type == .fileError)
        #expect(error?.failureReason?.hasSuffix("another download is using it") == true)
        #expect(requests.isEmpty)
        let hop = held.withLock { $0 }
        hop?.report(.data(Data("Grey".utf8)))
        hop?.report(.finished(nil))
        #expect(try await first.value.response?.status == 200)
        #expect(folder.text("tea.txt") == "Earl Grey")
    }

    /// A process that another thread starts has copies of all descriptors until it runs its program.
    @Test func `a copy of the descriptor does not stop the next download`() async throws {
        let partial = folder.file("tea.txt.partial").path
        let copies = Locked<[Int32]>([])
        defer { for copy in copies.withLock({ $0 }) { close(copy) } }
        _ = try await download { hop in
            hop.respond(200, headers: Self.tag)
            hop.report(.data(Data("Earl ".utf8)))
            var (named, open) = (stat(), stat())
            guard lstat(partial, &named) == 0 else { return }
            for descriptor: Int32 in 0..<1_024 where fstat(descriptor, &open) == 0 {
                guard open.st_ino == named.st_ino else { continue }
                copies.withLock { $0.append(dup(descriptor)) }
                break
            }
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        try #require(copies.withLock { $0.count } == 1)
        let (_, error, requests) = try await download { $0.report(.finished(URLError(.timedOut))) }
        #expect(error?.type == .noResponse)
        #expect(requests.map { $0.value(forHTTPHeaderField: "Range") } == ["bytes=4-"])
    }

    /// Each takes the whole, as the server shows no validator, and moves it into place while others begin.
    @Test func `a complete file is never written to`() async throws {
        let folder = folder
        let place = folder.file("tea.txt")
        let whole = String(repeating: "tea ", count: 5_000)
        let baseURL = try #require(URL(string: "http://api.example/v1"))
        let isOver = Locked(false)
        let reader = Task {
            var incomplete = 0
            while !isOver.withLock({ $0 }) {
                if let text = folder.text("tea.txt"), text != whole { incomplete += 1 }
                await Task.yield()
            }
            return incomplete
        }
        let teapot = Teapot(baseURL: baseURL, transport: ManualTransport { $0.answer(200, body: whole) })
        let completed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    for _ in 0..<300 {
                        let error = await thrown { () throws(TeapotError) in
                            try await teapot.download("tea", to: place, replacesExisting: true, resumes: true)
                        }
                        if error == nil { count += 1 }
                        #expect(error?.failureReason?.contains("another download") != false)
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        isOver.withLock { $0 = true }
        #expect(completed > 0)
        #expect(await reader.value == 0)
        #expect(folder.names == ["tea.txt"])
    }

    @Test func `the record holds no secret`() async throws {
        try await breakOff()
        let record = try #require(folder.text("tea.txt.partial.json"))
        #expect(record.contains("redacted"))
        #expect(!record.contains("s3cret"))
    }

    @Test(arguments: ["Range", "if-range", "Accept-Encoding"])
    func `header fields that resuming needs cannot be set beside it`(name: String) async throws {
        let (_, error, requests) = try await download(headerFields: [name: "x"]) { $0.answer(200, body: "x") }
        #expect(error?.type == .invalidHeaderField)
        #expect(requests.isEmpty)
        #expect(folder.names.isEmpty)
    }
}
