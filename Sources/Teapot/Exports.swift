@_exported public import Foundation
#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
