/// What the benchmark was started with.
struct Arguments: Equatable {
    /// What the process is to do.
    enum Mode {
        /// Measure Teapot against `URLSession`.
        case comparison
        /// Send many requests, and look whether anything grows.
        case soak
        /// Be the server. Only the benchmark itself starts a process like this.
        case server
    }

    private(set) var mode = Mode.comparison
    /// How many rounds to measure.
    private(set) var rounds = 15
    /// How many requests: of one round and with each of the two, or of the soak.
    private(set) var requests = 500
    /// What the soak's requests are drawn from.
    private(set) var seed = 1
    /// Whether the soak does without Teapot.
    private(set) var isPlain = false

    /// Starts the server.
    static let serve = "--serve"

    static let usage = """
        usage: TeapotBenchmark [--rounds N] [--requests N]
               TeapotBenchmark --soak [--plain] [--requests N] [--seed N]

          --rounds N     rounds to measure (15)
          --requests N   requests of each round, for each of the two (500), or of the soak (50000)
          --soak         sends requests of all kinds, and looks whether descriptors, threads or memory grow
          --plain        does that with URLSession alone, for comparison
          --seed N       what the soak's requests are drawn from (1)
        """

    /// Reads arguments; `nil` when they make no sense.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)
        if rest == [Self.serve] {
            mode = .server
            return
        }
        if rest.first == "--soak" {
            rest.removeFirst()
            mode = .soak
            requests = 50_000
            isPlain = rest.first == "--plain"
            if isPlain { rest.removeFirst() }
        }
        while !rest.isEmpty {
            let name = rest.removeFirst()
            guard !rest.isEmpty, let number = Int(rest.removeFirst()), number > 0 else { return nil }
            switch (name, mode) {
            case ("--rounds", .comparison): rounds = number
            case ("--requests", _): requests = number
            case ("--seed", .soak): seed = number
            default: return nil
            }
        }
    }
}
