/// A socket call the server cannot do without that failed.
struct SocketError: Error, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    let call: String

    /// The value of `errno` after it.
    let code: Int32

    var description: String { "\(call) failed with errno \(code)." }
}
