extension Case {
    /// All cases, in the order in which they are measured.
    static let all = [
        get(), get(inFlight: 8), get(inFlight: 64), getLarge, post, asyncDecodable, download, requestBuilding,
        mockedGet,
        creation, coldStart,
    ]

    /// - Parameter name: The name of one of ``all``, or `get-N` for any number in flight.
    init?(named name: String) {
        if let known = Self.all.first(where: { $0.name == name }) {
            self = known
        } else if name.hasPrefix("get-"), let inFlight = Int(name.dropFirst(4)), (1...100_000).contains(inFlight) {
            self = .get(inFlight: inFlight)
        } else {
            return nil
        }
    }
}
