extension String {
    /// 32 new hexadecimal digits: 128 bits of the system's random numbers.
    /// Foundation's `UUID()` on Linux is constant if it cannot read `/dev/urandom`, as without a free descriptor.
    static func randomToken() -> String { String((0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" }) }
}
