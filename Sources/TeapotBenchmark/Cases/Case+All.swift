extension Case {
    /// All cases, in the order in which they are measured.
    static let all = [
        get(), get(inFlight: 8), get(inFlight: 64), getLarge, post, asyncDecodable, requestBuilding, mockedGet,
        creation,
    ]
}
