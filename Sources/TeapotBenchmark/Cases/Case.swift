/// One thing to measure, done in two ways that do the same work and deliver it in the same way.
struct Case: Sendable {
    /// Starts one call. Its completion takes whether the call came to what it should.
    typealias Call = @Sendable (_ completion: @escaping @Sendable (Bool) -> Void) -> Void

    let name: String
    /// The way a careful engineer would write it by hand.
    let baseline: Call
    let teapot: Call
}
