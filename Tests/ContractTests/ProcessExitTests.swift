#if canImport(FoundationNetworking)
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// What happens when a process exits.
    @Suite(.exitTests)
    struct ProcessExitTests {
        @Test(arguments: [false, true])
        func `threads that still close connections can use OpenSSL`(usesCurl: Bool) async {
            await #expect(processExitsWith: .success) { [usesCurl = usesCurl as Bool] in
                // It runs after all that were registered later, so after OpenSSL's own.
                atexit {
                    typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
                    let address = dlsym(nil, "OPENSSL_init_crypto")
                    // It fails once OpenSSL has released everything.
                    guard let address, unsafeBitCast(address, to: Initialize.self)(0, nil) == 1 else { _exit(1) }
                }
                let secure = try #require(URL(string: "https://127.0.0.1:1"))
                let transport: any Transport = usesCurl ? CurlTransport() : URLSessionTransport()
                let error = await thrown { () throws(TeapotError) in
                    try await Teapot(baseURL: secure, transport: transport).get("get")
                }
                #expect(error?.type == .noResponse)
            }
        }
    }
#endif
