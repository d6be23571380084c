#if os(Linux)
    @testable import Teapot
    @testable import TeapotCurl
    import TestTraits
    import Testing

    /// What needs no server of `CurlTLSTests` and `CurlTLSReuseTests`.
    @Suite(.inTurn)
    struct CurlDowngradeTests {
        @Test func `a request that a server wants by HTTP/1.1 is sent from its beginning`() throws {
            let exchange = try CurlExchange.idle { $0.urlRequest.httpBody = Data("tea".utf8) }
            guard case .bytes(let piece) = exchange.nextPieceOfBody(upTo: 2) else {
                Issue.record("no bytes")
                return
            }
            #expect(piece == Data("te".utf8))
            #expect(exchange.canBeDowngraded())
            guard case .bytes(let whole) = exchange.nextPieceOfBody(upTo: 3) else {
                Issue.record("no bytes")
                return
            }
            #expect(whole == Data("tea".utf8))
        }

        @Test func `not after its response has begun`() throws {
            let exchange = try CurlExchange.idle { $0.urlRequest.httpBody = Data("tea".utf8) }
            exchange.hasResponse = true
            #expect(!exchange.canBeDowngraded())
            #expect((exchange.failure as? URLError)?.code == .badServerResponse)
            guard case .failure = exchange.nextPieceOfBody(upTo: 3) else {
                Issue.record("its body goes on")
                return
            }
            let isTaken = Array("HTTP/1.1 200 OK\r\n".utf8)
                .withUnsafeBytes { exchange.takeHeaderLine($0) { "HTTP/1.1" } }
            #expect(!isTaken)
        }

        /// `CURLE_…`
        @Test(
            arguments: [
                (35, "any", true), (60, "any", true), (98, "any", true), (7, "any", false), (28, "any", false),
                (56, "Recv failure", false), (56, "tlsv13 alert certificate required", true),
            ] as [(Int32, String, Bool)]
        )
        func `which errors are about TLS`(code: Int32, text: String, isOfTLS: Bool) {
            #expect(URLError.isOfTLS(code, text) == isOfTLS)
        }

        @Test(arguments: ["https://user:secret@proxy.example:3129", "http://proxy.example:3128"])
        func `authorities and a certificate are taken for servers and a secure proxy`(proxy: String) throws {
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .url(try #require(URL(string: proxy)))
            configuration.certificateAuthorities = .data(Data("no certificate".utf8))
            let file = CurlTransport.PEM.file(URL(filePath: "/none.pem"))
            configuration.clientCertificate = .init(certificate: file, key: file, password: "secret")
            // They are read when a connection is opened.
            _ = try CurlHandle(configuration, CurlLibrary.current.get(), CurlConnections())
        }
    }
#endif
