import Foundation
import TestSupport
import Testing

import TestTraits
@testable internal import Teapot

/// Downloads to files, held against a transport that a test controls.
@Suite(.inTurn)
struct DownloadTests {
    private let folder: TemporaryFolder
    private let baseURL: URL

    init() throws {
        folder = try TemporaryFolder()
        baseURL = try #require(URL(string: "http://api.example/v1"))
    }

    private var place: URL { folder.file("tea.txt") }

    private func teapot(_ transport: ManualTransport) -> Teapot {
        Teapot(baseURL: baseURL, transport: transport)
    }

    // MARK: - The whole

    @Test func `a file appears when it is complete, and nothing else`() async throws {
        let folder = folder
        let seen = Locked<[[String]]>([])
        let transport = ManualTransport { hop in
            hop.respond(200, headers: ["Content-Length": "9"])
            hop.report(.data(Data("Earl ".utf8)))
            seen.withLock { $0.append(folder.names) }
            hop.report(.data(Data("Grey".utf8)))
            hop.report(.finished(nil))
        }
        let progress = Locked<[Teapot.TransferProgress]>([])
        let response = try await teapot(transport).download("tea", to: place) { step in
            progress.withLock { $0.append(step) }
        }
        #expect(response.status == 200)
        #expect(response.data.isEmpty)
        #expect(folder.names == ["tea.txt"])
        #expect(folder.text("tea.txt") == "Earl Grey")
        let during = seen.withLock { $0 }
        #expect(during.count == 1)
        #expect(during.first?.count == 1)
        #expect(during.first?.contains("tea.txt") == false)
        let last = progress.withLock { $0.last }
        #expect(last?.bytes == 9)
        #expect(last?.expectedBytes == 9)
        #expect(last?.fraction == 1)
    }

    @Test func `a file has the permissions that any new file has`() async throws {
        try await teapot(ManualTransport { $0.answer(200, body: "x") }).download("tea", to: place)
        try folder.write("x", to: "other")
        let modes = try [place, folder.file("other")].map { file in
            try #require(FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int)
        }
        #expect(modes[0] == modes[1])
    }

    @Test(arguments: ["gzip", nil])
    func `the length of a compressed body is not expected`(encoding: String?) async throws {
        var headers = ["Content-Length": "3"]
        headers["Content-Encoding"] = encoding
        let transport = ManualTransport { [headers] in $0.answer(200, headers: headers, body: "abc") }
        let last = Locked<Teapot.TransferProgress?>(nil)
        try await teapot(transport).download("tea", to: place) { step in last.withLock { $0 = step } }
        #expect(last.withLock { $0?.bytes } == 3)
        #expect(last.withLock { $0?.expectedBytes } == (encoding == nil ? 3 : nil))
        #expect(last.withLock { $0?.fraction } == (encoding == nil ? 1 : nil))
    }

    // MARK: - What goes wrong

    @Test func `a body that breaks off leaves nothing`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200)
            hop.report(.data(Data("Earl ".utf8)))
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        let last = Locked<Teapot.TransferProgress?>(nil)
        let error = await thrown { () throws(TeapotError) in
            try await teapot(transport).download("tea", to: place) { step in last.withLock { $0 = step } }
        }
        #expect(error?.type == .dataTaskError)
        #expect(error?.response?.status == 200)
        #expect(folder.names.isEmpty)
        #expect(last.withLock { $0?.bytes } == 5)
    }

    // MARK: - The place

    @Test func `an existing file stays, and nothing is sent`() async throws {
        try folder.write("Oolong", to: "tea.txt")
        let transport = ManualTransport { $0.answer(200, body: "Earl Grey") }
        let error = await thrown { () throws(TeapotError) in try await teapot(transport).download("tea", to: place) }
        #expect(error?.type == .fileError)
        #expect(error?.failureReason == "\(place.path): it exists")
        #expect(transport.hops.isEmpty)
        #expect(folder.text("tea.txt") == "Oolong")
    }

    @Test(arguments: [false, true]) func `a symbolic link is not written through`(replaces: Bool) async throws {
        try folder.write("Oolong", to: "other.txt")
        try FileManager.default.createSymbolicLink(at: place, withDestinationURL: folder.file("other.txt"))
        let transport = ManualTransport { $0.answer(200, body: "Earl Grey") }
        let error = await thrown { () throws(TeapotError) in
            try await teapot(transport).download("tea", to: place, replacesExisting: replaces)
        }
        #expect(error?.type == (replaces ? nil : .fileError))
        #expect(folder.text("other.txt") == "Oolong")
        #expect(folder.text("tea.txt") == (replaces ? "Earl Grey" : "Oolong"))
    }

    @Test(arguments: [false, true]) func `a directory cannot be replaced by a file`(replaces: Bool) async throws {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let transport = ManualTransport { $0.answer(200, body: "Earl Grey") }
        let error = await thrown { () throws(TeapotError) in
            try await teapot(transport).download("tea", to: place, replacesExisting: replaces)
        }
        #expect(error?.type == .fileError)
        #expect(transport.hops.isEmpty)
    }

    @Test func `what takes the place during the download stays`() async throws {
        let place = place
        let transport = ManualTransport { hop in
            mkfifo(place.path, 0o600)
            hop.answer(200, body: "Earl Grey")
        }
        let error = await thrown { () throws(TeapotError) in
            try await teapot(transport).download("tea", to: place, replacesExisting: true)
        }
        #expect(error?.type == .fileError)
        #expect(folder.names == ["tea.txt"])
    }

    /// After everything has been looked at.
    @Test func `a file that appears at the last moment stays`() throws {
        let partial = try PartialFile(beside: place)
        try partial.append(Data("Earl Grey".utf8))
        try folder.write("Oolong", to: "tea.txt")
        let error = #expect(throws: TeapotError.self) { try partial.move(to: place, replacesExisting: false) }
        #expect(error?.failureReason == "\(place.path): it exists")
        partial.close(after: nil)
        #expect(folder.text("tea.txt") == "Oolong")
        #expect(folder.names == ["tea.txt"])
    }

    /// A transport's thread may still have it when the call ends.
    @Test func `a piece after the end changes no progress`() async throws {
        let reported = Locked<[Int]>([])
        let meter = ProgressMeter(DispatchTimer()) { step in reported.withLock { $0.append(step.bytes) } }
        let sink = DownloadSink(
            place,
            replacesExisting: false,
            resumes: false,
            range: nil,
            limit: nil,
            meter: meter
        )
        try sink.begin(ResponseHead(url: baseURL, status: 200))
        try sink.receive(Data("tea".utf8))
        await withCheckedContinuation { end in sink.finish(.failure(.cancelled())) { _ in end.resume() } }
        try sink.receive(Data("pot".utf8))
        await withCheckedContinuation { end in meter.finish { end.resume() } }
        #expect(reported.withLock { $0 }.last == 3)
    }

    @Test func `a part is saved as a file only if the caller requested one`() async throws {
        let transport = ManualTransport { $0.answer(206, headers: ["Content-Range": "bytes 0-0/9"], body: "x") }
        let error = await thrown { () throws(TeapotError) in try await teapot(transport).download("tea", to: place) }
        #expect(error?.type == .fileError)
        #expect(folder.names.isEmpty)
        try await teapot(transport).download(
            Teapot.Request(path: "tea", headerFields: ["range": "bytes=0-0"]),
            to: place
        )
        #expect(folder.text("tea.txt") == "x")
    }

    @Test func `the destination must be a file URL, in a directory that exists`() async throws {
        let transport = ManualTransport { $0.answer(200, body: "Earl Grey") }
        for url in [try #require(URL(string: "http://api.example/tea.txt")), folder.file("missing/tea.txt")] {
            let error = await thrown { () throws(TeapotError) in try await teapot(transport).download("tea", to: url) }
            #expect(error?.type == .fileError)
        }
        #expect(transport.hops.isEmpty)
        #expect(folder.names.isEmpty)
    }
}
