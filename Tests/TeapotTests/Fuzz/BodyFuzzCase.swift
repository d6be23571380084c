#if os(Linux)
    import Foundation
    import LoopbackServer
    import Teapot
    import TestSupport

    /// A body with content codings, damaged or not, in random pieces.
    struct BodyFuzzCase {
        private enum Damage {
            case none
            case cutOff
            case changed
            case longer
        }

        private let body: Data
        private let codings: [String]
        private let damage: Damage
        private let script: Script
        /// Whether each coding has a checksum: without one, a change is not always noticed.
        private let isChecked: Bool

        init(_ generator: inout SeededGenerator) {
            let size = generator.pick([0, 1, 2, 500, 500, 5_000, 5_000, 70_000])
            body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 / 3) })
            let names = (0..<generator.number(0...3)).map { _ in
                generator.pick(["gzip", "gzip", "members", "deflate", "raw", "identity"])
            }
            codings = names
            isChecked = !names.contains("raw")
            var coded = body
            for name in names { coded = Self.encode(coded, name, &generator) }
            damage =
                coded.isEmpty || names.allSatisfy { $0 == "identity" }
                ? .none
                : generator.pick([.none, .none, .cutOff, .changed, .longer])
            switch damage {
            case .none: break
            case .cutOff: coded = coded.prefix(generator.number(1...max(coded.count - 1, 1)))
            case .changed:
                coded[coded.startIndex + generator.number(0...coded.count - 1)] ^= 1 << UInt8(generator.number(0...7))
            case .longer: coded += Data((0..<generator.number(1...40)).map { _ in UInt8(generator.number(1...30)) })
            }
            let field = names.map { ["members": "gzip", "raw": "deflate"][$0] ?? $0 }.joined(separator: ", ")
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(field)\r\nContent-Length: \(coded.count)\r\n\r\n"
            var steps: [Script.Step] = [
                .readRequest, .send(names.isEmpty ? head.replacing("Content-Encoding: \r\n", with: "") : head),
            ]
            while !coded.isEmpty {
                let size = generator.number(1...generator.pick([3, 1_000, 200_000]))
                steps.append(.send(coded.prefix(size)))
                coded = coded.dropFirst(size)
                // Many small pieces say no more than some.
                if steps.count > 50 {
                    steps.append(.send(coded))
                    break
                }
            }
            script = Script(steps)
        }

        private static func encode(_ body: Data, _ name: String, _ generator: inout SeededGenerator) -> Data {
            switch name {
            case "gzip": return StoredCompression.gzip(body)
            case "members":
                let half = generator.number(0...body.count)
                return StoredCompression.gzip(body.prefix(half)) + StoredCompression.gzip(Data(body.dropFirst(half)))
            case "deflate": return StoredCompression.zlib(body)
            case "raw": return StoredCompression.zlib(body).dropFirst(2).dropLast(4)
            default: return body
            }
        }

        /// - Returns: What is wrong.
        func problems(over transport: any Transport) async throws -> [String] {
            let server = try LoopbackServer(scripts: [script], recordsRequests: false)
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            var problems: [String] = []
            do throws(TeapotError) {
                let response = try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 20 })
                // Nobody can tell that members of a gzip file are missing.
                let isWhole = response.data == body || damage == .cutOff && codings.contains("members")
                if damage != .changed || isChecked, !isWhole { problems.append("another body") }
                if damage == .longer { problems.append("bytes after the end are a success") }
            } catch {
                if damage == .none { problems.append("\(error.debugDescription)") }
                if error.code != .cannotDecodeContentData {
                    problems.append("not an error of decoding: \(error.debugDescription)")
                }
                if damage == .cutOff, error.data.map({ body.starts(with: $0) }) != true {
                    problems.append("not the beginning")
                }
            }
            let next = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 20 })
            }
            if let next { problems.append("the next call failed: \(next.debugDescription)") }
            return problems.map { "\(codings), \(damage): \($0)" }
        }
    }
#endif
