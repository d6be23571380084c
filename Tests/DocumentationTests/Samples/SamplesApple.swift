#if canImport(Darwin)
    import CryptoKit
    import Security
    import Teapot

    /// The samples that only Apple platforms compile. Elsewhere `.ci/apple` type-checks them.
    enum AppleSamples {
        static func pinned(_ currentKey: String, _ nextKey: String) -> any Transport {
            //: ChoosingATransport 3
            return transport
        }
    }
#endif
