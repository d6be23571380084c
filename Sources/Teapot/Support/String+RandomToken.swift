extension String {
    /// 32 new hexadecimal digits: 128 bits of the system's random numbers.
    ///
    /// On Linux, Foundation's `UUID()` is the same each time if it cannot read `/dev/urandom`, for example because no
    /// descriptor is free.
    static func randomToken() -> String { String((0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" }) }
}
