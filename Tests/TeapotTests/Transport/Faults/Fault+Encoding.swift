import LoopbackServer
import Teapot

extension Fault {
    /// `{}` in the gzip format (RFC 1952), as one stored block, without the checksum and the length that follow.
    private static let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1, 2, 0, 0xFD, 0xFF, 0x7B, 0x7D]
    private static let checksum: [UInt8] = [0x43, 0xBF, 0xA6, 0xA3]

    /// Bodies that are compressed, or said to be.
    static let encodings: [Fault] = [
        succeeds("gzip", coded(gzip + checksum + [2, 0, 0, 0])),
        fails("gzip that is none", coded(Array("nope".utf8)), .dataTaskError, 200),
        // libcurl is content with what there is of it, where the length is right.
        succeeds("gzip without its checksum", coded(gzip)),
        succeeds("gzip that is cut off", coded(gzip.dropLast()), with: "{"),
        succeeds("gzip that is cut off in its header", coded(gzip.prefix(5)), with: ""),
        fails("gzip with a wrong checksum", coded(gzip + [1, 2, 3, 4, 2, 0, 0, 0]), .dataTaskError, 200, keeps: "{}"),
        fails(
            "gzip with bytes after its end",
            coded(gzip + checksum + [2, 0, 0, 0, 9, 9]),
            .dataTaskError,
            200,
            keeps: "{}"
        ),
        fails("deflate that is none", coded(Array("nope".utf8), by: "deflate"), .dataTaskError, 200),
        fails("an encoding that is unknown", coded(Array("{}".utf8), by: "tea"), .dataTaskError, 200),
        succeeds("the identity encoding", coded(Array("{}".utf8), by: "identity")),
        fails("a gzip bomb", coded(bomb(megabytes: 64)), .responseTooLarge, 200).with { $0.sizeLimit = 100 },
        fails(
            "a body beyond the limit",
            coded(Array(repeating: 97, count: 300), by: "identity"),
            .responseTooLarge,
            200
        )
        .with { $0.sizeLimit = 100 },
    ]

    private static func coded(_ body: some Collection<UInt8>, by coding: String = "gzip") -> [Script.Step] {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        return [.readRequest, .send(Data(head.utf8) + body)]
    }

    /// Zeros, a thousandth of their size: one block with fixed codes (RFC 1951, section 3.2.6) that copies the byte before
    /// 258 times, again and again. It has no end.
    private static func bomb(megabytes: Int) -> [UInt8] {
        var bytes = Array(gzip.prefix(10))
        var bits = 0
        var count = 0
        func add(_ code: String) {
            for bit in code {
                bits |= (bit == "1" ? 1 : 0) << count
                count += 1
                guard count == 8 else { continue }
                bytes.append(UInt8(bits))
                (bits, count) = (0, 0)
            }
        }
        // The last block, with fixed codes; a zero; then 258 bytes from one byte back.
        add("110" + "00110000")
        for _ in 0..<(megabytes << 20) / 258 { add("11000101" + "00000") }
        return bytes
    }
}
