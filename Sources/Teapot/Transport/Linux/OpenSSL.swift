#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The TLS library of libcurl on most distributions.
    package enum OpenSSL {
        /// Keeps OpenSSL from releasing its memory when the process exits, once, before libcurl is used: another thread may close a
        /// connection at that moment, because a call has just timed out, and would end the process with a segmentation fault.
        package static let outlivesExit: Void = {
            typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
            // OPENSSL_INIT_NO_ATEXIT, since OpenSSL 1.1.1.
            let leavesMemory: UInt64 = 0x0008_0000
            guard let address = dlsym(nil, "OPENSSL_init_crypto") else { return }
            _ = unsafeBitCast(address, to: Initialize.self)(leavesMemory, nil)
        }()
    }
#endif
