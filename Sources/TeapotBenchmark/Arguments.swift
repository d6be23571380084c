/// What the benchmark was started with.
struct Arguments: Equatable {
    /// How many rounds to measure.
    private(set) var rounds = 15
    /// How many requests one round sends with each of the two.
    private(set) var requests = 500
    /// Whether this process is to be the server. Only the benchmark itself starts it like this.
    private(set) var isServer = false

    /// Starts the server.
    static let serve = "--serve"

    static let usage = """
        usage: TeapotBenchmark [--rounds N] [--requests N]

          --rounds N     rounds to measure (15)
          --requests N   requests of each round, for each of the two (500)
        """

    /// Reads arguments; `nil` when they make no sense.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)
        if rest == [Self.serve] {
            isServer = true
            return
        }
        while !rest.isEmpty {
            let name = rest.removeFirst()
            guard !rest.isEmpty, let number = Int(rest.removeFirst()), number > 0 else { return nil }
            switch name {
            case "--rounds": rounds = number
            case "--requests": requests = number
            default: return nil
            }
        }
    }
}
