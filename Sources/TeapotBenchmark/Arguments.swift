/// What the benchmark was started with.
struct Arguments: Equatable {
    /// What the process is to do.
    enum Mode {
        /// Measure Teapot against `URLSession`.
        case comparison
        /// Send many requests, and look whether anything grows.
        case soak
        /// Make many calls to a mock.
        case mock
        /// Be the server. Only the benchmark itself starts a process like this.
        case server
    }

    private(set) var mode = Mode.comparison
    /// How many rounds to measure.
    private(set) var rounds = 15
    /// How many requests: of one round and with each of the two, of the soak, or to the mock.
    private(set) var requests = 500
    /// What the soak's requests are drawn from.
    private(set) var seed = 1
    /// Whether the soak does without Teapot.
    private(set) var isPlain = false
    /// How many requests the mock keeps; all of them if `nil`.
    private(set) var keptRequests: Int? = 1_000

    /// Starts the server.
    static let serve = "--serve"

    static let usage = """
        usage: TeapotBenchmark [--rounds N] [--requests N]
               TeapotBenchmark --soak [--plain] [--requests N] [--seed N]
               TeapotBenchmark --mock [--requests N] [--keep N | --keep-all]

          --rounds N     rounds to measure (15)
          --requests N   requests of each round, for each of the two (500), of the soak (50000),
                         or to the mock (100000)
          --soak         sends requests of all kinds, and looks whether descriptors, threads or memory grow
          --plain        does that with URLSession alone, for comparison
          --seed N       what the soak's requests are drawn from (1)
          --mock         makes calls to a mock, and looks how long they take and whether memory grows
          --keep N       how many requests the mock keeps (1000)
          --keep-all     has it keep all of them
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
        } else if rest.first == "--mock" {
            rest.removeFirst()
            mode = .mock
            requests = 100_000
        }
        while !rest.isEmpty {
            let name = rest.removeFirst()
            if name == "--keep-all", mode == .mock {
                keptRequests = nil
                continue
            }
            guard !rest.isEmpty, let number = Int(rest.removeFirst()), number > 0 else { return nil }
            switch (name, mode) {
            case ("--rounds", .comparison): rounds = number
            case ("--requests", _): requests = number
            case ("--seed", .soak): seed = number
            case ("--keep", .mock): keptRequests = number
            default: return nil
            }
        }
    }
}
