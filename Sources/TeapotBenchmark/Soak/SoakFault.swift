import Foundation
import LoopbackServer

/// What the server does wrong when it is asked to, by the path `fault/NAME`. Nothing of it ends the client's process.
enum SoakFault: String, CaseIterable {
    /// The connection is reset before anything is answered.
    case reset
    /// The connection is closed in the middle of the body.
    case cut
    /// The body is said to be compressed, and is not.
    case gzip
    /// Nothing comes, until the client hangs up.
    case stall

    private static let prefix = "/fault/"

    var path: String { Self.prefix + rawValue }

    init?(path: String) {
        guard path.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(path.dropFirst(Self.prefix.count)))
    }

    /// What the server does once it has read the request.
    var script: Script {
        switch self {
        case .reset: Script([.reset])
        case .cut: Script([.send("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\nhalf"), .close])
        case .gzip:
            Script([.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope"), .close])
        case .stall: Script([.stall])
        }
    }
}
