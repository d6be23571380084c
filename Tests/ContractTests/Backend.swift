import ForeignTransport
import LoopbackServer
import Teapot
import TeapotCache
import TeapotCurl
import TeapotMock
import TestSupport
import Testing

/// A backend of the contract suite. Each test is the same for all of them.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    /// `MockTeapot`.
    case mock
    /// `URLSessionTransport` and the embedded server.
    case loopback
    /// The same with a `CachingTransport` in front.
    case cached
    #if os(Linux)
        /// `CurlTransport` and the httpbin, or, without one, the embedded server.
        case curl
    #endif
    /// A transport that somebody else wrote, and the embedded server.
    case foreign
    /// `URLSessionTransport` and a real httpbin, at the URL in `TEAPOT_HTTPBIN_URL`.
    case httpbin

    var testDescription: String { rawValue }

    static var available: [Backend] { allCases.filter { $0 != .httpbin || httpbinAddress != nil } }

    /// Those that show what went over the wire.
    static var servers: [Backend] { available.filter { $0 != .mock } }

    /// Those that differ in the server.
    static var addresses: [Backend] { available.filter { $0 == .loopback || $0 == .httpbin } }

    /// Whether its transport lets servers compress.
    var acceptsCodings: Bool { self != .foreign }

    private static let httpbinAddress = ProcessInfo.processInfo.environment["TEAPOT_HTTPBIN_URL"]
    private static let server = Result { try LoopbackServer() }

    /// A client for it.
    ///
    /// - Parameters:
    ///   - file: The mock file; servers answer according to the path.
    ///   - status: The status that the mock answers with.
    /// - Returns: A client that completes on a queue of its own, or, if it is a mock, at once.
    /// - Throws: When there is no server.
    func teapot(file: String? = nil, status: MockTeapot.StatusCode = .ok) throws -> Teapot {
        let teapot = try makeTeapot(file: file, status: status)
        // With the sanitizers everything is some ten times slower.
        teapot.timeoutInterval = 60
        return teapot
    }

    private func makeTeapot(file: String?, status: MockTeapot.StatusCode) throws -> Teapot {
        let queue = DispatchQueue(label: "contract")
        switch self {
        case .mock:
            return MockTeapot(bundle: .module, mockFilename: file, statusCode: status)
        case .loopback, .httpbin:
            return Teapot(baseURL: try baseURL(), defaultDeliveryQueue: queue)
        case .cached:
            return Teapot(baseURL: try baseURL(), defaultDeliveryQueue: queue, transport: CachingTransport())
        case .foreign:
            return Teapot(baseURL: try baseURL(), defaultDeliveryQueue: queue, transport: SocketTransport())
        #if os(Linux)
            case .curl:
                return Teapot(baseURL: try baseURL(), defaultDeliveryQueue: queue, transport: CurlTransport())
        #endif
        }
    }

    /// Where the server is.
    ///
    /// - Throws: When there is none.
    func baseURL() throws -> URL {
        switch self {
        case .mock, .loopback, .cached, .foreign: try Self.server.get().baseURL
        case .httpbin: try #require(Self.httpbinAddress.flatMap(URL.init))
        #if os(Linux)
            case .curl: try Self.httpbinAddress.flatMap(URL.init) ?? Self.server.get().baseURL
        #endif
        }
    }
}
