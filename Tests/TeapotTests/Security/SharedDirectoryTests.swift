import Foundation
import TestSupport
import Testing

import TestTraits
@testable internal import Teapot

/// Downloads into a directory where another user has put something first.
@Suite(.inTurn)
struct SharedDirectoryTests {
    private let folder: TemporaryFolder
    private static let tag = ["ETag": #""v1""#, "Content-Length": "9"]
    /// The number of the user `nobody` on most systems.
    private static let stranger: uid_t = 65_534

    init() throws {
        folder = try TemporaryFolder()
    }

    private var place: URL { folder.file("tea.txt") }

    private func download(
        resumes: Bool = true,
        replacesExisting: Bool = false,
        answer: @escaping @Sendable (ManualTransport.Hop) -> Void
    ) async throws -> (error: TeapotError?, requests: [URLRequest]) {
        let transport = ManualTransport(atOnce: answer)
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        let error = await thrown { () throws(TeapotError) in
            try await teapot.download(
                Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity },
                to: place,
                replacesExisting: replacesExisting,
                resumes: resumes
            )
        }
        return (error, transport.hops.map(\.request))
    }

    private func permissions(_ name: String) throws -> Int { try #require(Self.permissions(folder.file(name))) }

    private static func permissions(_ file: URL) -> Int? {
        var status = stat()
        return lstat(file.path, &status) == 0 ? Int(status.st_mode & 0o777) : nil
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(at: folder.file(name), withDestinationURL: folder.file(target))
    }

    // MARK: - The partial file

    @Test(.enabled("only the superuser can give a file away") { geteuid() == 0 })
    func `a partial file of another user is not written to`() async throws {
        try folder.write("", to: "tea.txt.partial")
        try #require(chown(folder.file("tea.txt.partial").path, Self.stranger, Self.stranger) == 0)
        let (error, requests) = try await download { $0.answer(200, headers: Self.tag, body: "Earl Grey") }
        #expect(error?.type == .fileError)
        #expect(error?.failureReason?.hasSuffix("it belongs to another user") == true)
        #expect(requests.isEmpty)
        #expect(folder.text("tea.txt.partial")?.isEmpty == true)
    }

    @Test(arguments: ["other.txt", "missing.txt", "tea.txt.partial", "hard"])
    func `a partial file that is a link is not followed`(target: String) async throws {
        try folder.write("Oolong", to: "other.txt")
        if target == "hard" {
            try FileManager.default.linkItem(at: folder.file("other.txt"), to: folder.file("tea.txt.partial"))
        } else {
            try link("tea.txt.partial", to: target)
        }
        let (error, requests) = try await download { $0.answer(200, headers: Self.tag, body: "Earl Grey") }
        #expect(error?.type == .fileError)
        #expect(requests.isEmpty)
        #expect(folder.text("other.txt") == "Oolong")
        #expect(folder.names == ["other.txt", "tea.txt.partial"])
    }

    @Test func `a private file stays private while it is replaced`() async throws {
        let folder = folder
        try folder.write("Oolong", to: "tea.txt")
        try #require(chmod(place.path, 0o600) == 0)
        for resumes in [false, true] {
            let modes = Locked<[Int?]>([])
            let (error, _) = try await download(resumes: resumes, replacesExisting: true) { hop in
                hop.respond(200, headers: Self.tag)
                let parts = folder.names.filter { $0.hasSuffix(".partial") }
                modes.withLock { $0 = parts.map { Self.permissions(folder.file($0)) } }
                hop.report(.data(Data("Earl Grey".utf8)))
                hop.report(.finished(nil))
            }
            #expect(error == nil)
            #expect(modes.withLock { $0 } == [0o600])
            #expect(try permissions("tea.txt") == 0o600)
        }
    }

    @Test(
        .enabled("only the superuser can give a file away") { geteuid() == 0 },
        arguments: [(0o600, 0o600), (0o666, 0o644)]
    )
    func `the file that replaces another user's has its permissions, but is not writable for all`(
        mode: mode_t,
        expected: Int
    ) async throws {
        try folder.write("Oolong", to: "tea.txt")
        try #require(chmod(place.path, mode) == 0 && chown(place.path, Self.stranger, Self.stranger) == 0)
        let (error, _) = try await download(resumes: false, replacesExisting: true) {
            $0.answer(200, body: "Earl Grey")
        }
        #expect(error == nil)
        #expect(folder.text("tea.txt") == "Earl Grey")
        #expect(try permissions("tea.txt") == expected)
    }

    /// The superuser may write to any file, so that only the permissions tell.
    @Test func `a download that replaces a read-only file can be resumed`() async throws {
        try folder.write("Oolong", to: "tea.txt")
        try #require(chmod(place.path, 0o444) == 0)
        let (error, _) = try await download(replacesExisting: true) { hop in
            hop.respond(200, headers: Self.tag)
            hop.report(.data(Data("Earl".utf8)))
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        #expect(error?.type == .dataTaskError)
        #expect(try permissions("tea.txt.partial") & 0o600 == 0o600)
        let (second, requests) = try await download(replacesExisting: true) { hop in
            hop.respond(206, headers: ["ETag": #""v1""#, "Content-Range": "bytes 3-8/9"])
            hop.report(.data(Data("l Grey".utf8)))
            hop.report(.finished(nil))
        }
        #expect(second == nil)
        #expect(requests.first?.value(forHTTPHeaderField: "Range") != nil)
        #expect(try permissions("tea.txt") == 0o444)
    }

    @Test func `a part from before there was a private file is private from then on`() async throws {
        let folder = folder
        try folder.write("", to: "tea.txt.partial")
        try #require(chmod(folder.file("tea.txt.partial").path, 0o644) == 0)
        try folder.write("Oolong", to: "tea.txt")
        try #require(chmod(place.path, 0o600) == 0)
        let mode = Locked<Int?>(nil)
        let (error, _) = try await download(replacesExisting: true) { hop in
            hop.respond(200, headers: Self.tag)
            mode.withLock { $0 = Self.permissions(folder.file("tea.txt.partial")) }
            hop.report(.data(Data("Earl Grey".utf8)))
            hop.report(.finished(nil))
        }
        #expect(error == nil)
        #expect(mode.withLock { $0 } == 0o600)
    }

    /// The file is another one when the download is complete, or none.
    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)], ["file", "link", "nothing"])
    func `a partial file that is swapped is not moved into place`(
        flags: (resumes: Bool, replacesExisting: Bool),
        swapped: String
    ) async throws {
        let folder = folder
        let (resumes, replacesExisting) = flags
        try folder.write("Mocha", to: "other.txt")
        if replacesExisting { try folder.write("Oolong", to: "tea.txt") }
        let (error, _) = try await download(resumes: resumes, replacesExisting: replacesExisting) { hop in
            hop.respond(200, headers: Self.tag)
            hop.report(.data(Data("Earl Grey".utf8)))
            for name in folder.names where name.hasSuffix(".partial") {
                let (file, own) = (folder.file(name), folder.file("own"))
                try? FileManager.default.moveItem(at: file, to: own)
                switch swapped {
                case "file": try? folder.write("Mocha", to: name)
                case "link": try? FileManager.default.createSymbolicLink(at: file, withDestinationURL: own)
                default: break
                }
            }
            hop.report(.finished(nil))
        }
        #expect(error?.type == .fileError)
        #expect(error?.failureReason?.hasSuffix("it was replaced or removed while it was being written") == true)
        #expect(folder.text("tea.txt") == (replacesExisting ? "Oolong" : nil))
        #expect(folder.text("own") == "Earl Grey")
        // A file that is not Teapot's own stays.
        let partial = folder.names.first { $0.hasSuffix(".partial") }
        #expect((partial != nil) == (swapped != "nothing"))
        #expect(!folder.names.contains("tea.txt.partial.json"))
    }

    // MARK: - The record

    enum Plant: String, CaseIterable, Sendable {
        case fifo, linkToZeros, linkToOther, large, hostile, directory, garbage
    }

    @Test(arguments: Plant.allCases)
    func `a planted record is ignored or harmless`(plant: Plant) async throws {
        let name = "tea.txt.partial.json"
        try folder.write("Earl ", to: "tea.txt.partial")
        try folder.write("Oolong", to: "other.txt")
        let record = #"{"source":"http://api.example/v1/tea","validator":"\"v1\""}"#
        switch plant {
        case .fifo: try #require(mkfifo(folder.file(name).path, 0o666) == 0)
        case .linkToZeros:
            try FileManager.default.createSymbolicLink(
                at: folder.file(name),
                withDestinationURL: URL(filePath: "/dev/zero")
            )
        case .linkToOther:
            try folder.write(record, to: "other.json")
            try link(name, to: "other.json")
        case .large: try folder.write(record + String(repeating: " ", count: 10_000_000), to: name)
        case .hostile: try folder.write(record.replacing("v1", with: #"v1\r\nX-Injected: yes"#), to: name)
        case .directory:
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
        case .garbage: try folder.write("{", to: name)
        }
        let (error, requests) = try await download { $0.answer(200, headers: Self.tag, body: "Earl Grey") }
        #expect(requests.first?.value(forHTTPHeaderField: "Range") == nil)
        #expect(requests.first?.value(forHTTPHeaderField: "If-Range") == nil)
        #expect(folder.text("other.txt") == "Oolong")
        if plant == .directory {
            #expect(error?.type == .fileError)
        } else {
            #expect(error == nil)
            #expect(folder.text("tea.txt") == "Earl Grey")
        }
        if plant == .linkToOther { #expect(folder.text("other.json") == record) }
    }

    /// A link that comes after everything was looked at.
    @Test func `a record is not written through a link`() async throws {
        let folder = folder
        try folder.write("Oolong", to: "other.txt")
        let partial = try PartialFile(resuming: place, from: "http://api.example/v1/tea")
        try FileManager.default.createSymbolicLink(
            at: folder.file("tea.txt.partial.json"),
            withDestinationURL: folder.file("other.txt")
        )
        try partial.startAnew(validator: #""v1""#, size: nil)
        partial.close(after: nil)
        #expect(folder.text("other.txt") == "Oolong")
    }

    // MARK: - The place

    /// The system's calls end a name there; Foundation hands them the escape instead.
    @Test(arguments: ["tea.txt%00.jpg", "%00", "tea.txt.partial%00"])
    func `a path is not cut off at a NUL`(name: String) async throws {
        let url = try #require(URL(string: folder.url.absoluteString + "/" + name))
        for resumes in [false, true] {
            let transport = ManualTransport { $0.answer(200, headers: Self.tag, body: "Earl Grey") }
            let teapot = Teapot(baseURL: try #require(URL(string: "http://h")), transport: transport)
            try await teapot.download(
                Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity },
                to: url,
                replacesExisting: true,
                resumes: resumes
            )
            #expect(folder.names == [name])
        }
    }
}
