#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The TLS library of libcurl on most distributions.
    package enum OpenSSL {
        /// Does nothing but make OpenSSL, which would release all that it has when the process exits, leave that to the system.
        ///
        /// A connection that another thread closes at that moment, because its call has just timed out, would end the process with a
        /// segmentation fault. This must come before libcurl is used for the first time: OpenSSL decides once.
        package static let outlivesExit: Void = {
            typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
            // OPENSSL_INIT_NO_ATEXIT, since OpenSSL 1.1.1.
            let leavesMemory: UInt64 = 0x0008_0000
            guard let address = dlsym(nil, "OPENSSL_init_crypto") else { return }
            _ = unsafeBitCast(address, to: Initialize.self)(leavesMemory, nil)
        }()
    }
#endif
