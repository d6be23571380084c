import ForeignTransport
import Teapot
import TeapotCache
import TeapotCurl
import TeapotMock
import TestTraits
import Testing

/// Every transport behaves as the table says.
@Suite(.inTurn)
struct TransportBehaviorTests {
    @Test(arguments: Backend.addresses, TransportBehavior.all)
    func `the transport of URLSession`(backend: Backend, behavior: TransportBehavior) async throws {
        try await behavior.check(against: backend.baseURL(), URLSessionTransport())
    }

    #if os(Linux)
        @Test(arguments: Backend.addresses, TransportBehavior.all)
        func `the transport of libcurl`(backend: Backend, behavior: TransportBehavior) async throws {
            try await behavior.check(against: backend.baseURL(), CurlTransport())
        }

        @Test(arguments: Backend.addresses, TransportBehavior.all)
        func `the transport of libcurl with epoll`(backend: Backend, behavior: TransportBehavior) async throws {
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnections = 257
            try await behavior.check(against: backend.baseURL(), CurlTransport(configuration: configuration))
        }
    #endif

    @Test(arguments: Backend.addresses, TransportBehavior.required)
    func `a transport that somebody else wrote`(backend: Backend, behavior: TransportBehavior) async throws {
        try await behavior.check(against: backend.baseURL(), SocketTransport())
    }

    @Test(arguments: Backend.addresses, TransportBehavior.all)
    func `a recording transport`(backend: Backend, behavior: TransportBehavior) async throws {
        try await behavior.check(against: backend.baseURL(), RecordingTransport())
    }

    @Test(arguments: Backend.addresses, TransportBehavior.all)
    func `a caching transport`(backend: Backend, behavior: TransportBehavior) async throws {
        try await behavior.check(against: backend.baseURL(), CachingTransport())
    }
}
