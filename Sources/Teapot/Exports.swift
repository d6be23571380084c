// `import Teapot` alone is enough to name `URLSessionTask`, `HTTPURLResponse`, `Bundle` and `Data`, on Linux too.
@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
