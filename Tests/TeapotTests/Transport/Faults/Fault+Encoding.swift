import LoopbackServer
import Teapot
import TestSupport

extension Fault {
    private static let whole = StoredCompression.gzip(Data("{}".utf8))
    /// Without the checksum and the length that follow (RFC 1952, section 2.3).
    private static let gzip = whole.dropLast(8)

    private static let zlib = StoredCompression.zlib(Data("{}".utf8))
    /// Without the header and the checksum (RFC 1950, section 2.2).
    private static let deflate = zlib.dropFirst(2).dropLast(4)

    private static func member(_ text: String) -> Data { StoredCompression.gzip(Data(text.utf8)) }

    /// Bodies that are compressed, or said to be.
    static let encodings: [Fault] = [
        succeeds("gzip", coded(whole)),
        breaks("invalid gzip", coded(Array("nope".utf8))),
        // libcurl is content with what there is of it, where the length is right.
        succeeds("gzip without its checksum", coded(gzip)),
        succeeds("gzip that is cut off", coded(gzip.dropLast()), with: "{"),
        breaks("gzip that is cut off in its header", coded(gzip.prefix(5))).with {
            $0.cause = .cannotDecodeContentData
        },
        succeeds("gzip of no bytes by its length", coded([]), with: ""),
        succeeds("gzip of nothing", coded(StoredCompression.gzip(Data())), with: ""),
        succeeds("deflate of nothing", coded(StoredCompression.zlib(Data()), by: "deflate"), with: ""),
        breaks("gzip of nothing without a length", unending(StoredCompression.gzip(Data()))),
        breaks("gzip of no bytes", unending(Data())).with { $0.cause = .cannotDecodeContentData },
        breaks("gzip with a wrong checksum", coded(gzip + [1, 2, 3, 4, 2, 0, 0, 0]), keeps: "{}"),
        breaks("gzip with bytes after its end", coded(whole + [9, 9]), keeps: "{}"),
        breaks("gzip in two members", coded(member("{") + member("}")), keeps: "{"),
        succeeds("deflate", coded(zlib, by: "deflate")),
        succeeds("deflate without its header", coded(deflate, by: "deflate")),
        breaks("deflate with a wrong checksum", coded(zlib.dropLast() + [9], by: "deflate"), keeps: "{}"),
        succeeds("two encodings", coded(StoredCompression.gzip(zlib), by: "deflate, gzip")),
        succeeds(
            "gzip as a transfer coding",
            answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", .send(whole), .close)
        )
        .from(.v8_14, refuse),
        breaks("invalid deflate", coded(Array("nope".utf8), by: "deflate")),
        breaks("an encoding that is unknown", coded(Array("{}".utf8), by: "tea")),
        succeeds("the identity encoding", coded(Array("{}".utf8), by: "identity")),
        fails("a gzip bomb", coded(whole.prefix(10) + DeflatedZeros(atMost: 16 << 20).stream), .responseTooLarge, 200)
            .with { $0.sizeLimit = 100 },
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

    private static func unending(_ body: Data) -> [Script.Step] {
        [.readRequest, .send(Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + body), .close]
    }
}
