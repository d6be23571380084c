// Foundation as it is on Apple's platforms: on Linux URLSession and its kind are in a module of their own.
@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
