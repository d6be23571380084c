public import Foundation
public import FoundationNetworking

public final class SecTrust: Sendable {}
public final class SecCertificate: Sendable {}
public final class SecKey: Sendable {}

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<NSError?>?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> Any? { nil }
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<NSError?>?) -> Data? { nil }

// They are Foundation's, in Apple's.
extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}
