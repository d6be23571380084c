/// A set of ASCII characters, looked up by their byte.
struct ByteSet: Sendable {
    static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    private let members: [Bool]

    init(_ characters: String) {
        var members = [Bool](repeating: false, count: 256)
        for byte in characters.utf8 { members[Int(byte)] = true }
        self.members = members
    }

    func contains(_ byte: UInt8) -> Bool {
        members[Int(byte)]
    }
}
