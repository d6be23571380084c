/// What the benchmark was started with.
struct Arguments: Sendable {
    /// What the process is to do.
    enum Mode {
        /// Measure Teapot against `URLSession`.
        case comparison
        /// Say which cases there are.
        case list
        /// Send many requests, and look whether anything grows.
        case soak
        /// Make many calls to a mock.
        case mock
        /// Be the server. Only the benchmark itself starts a process like this.
        case server
    }

    /// What is wrong with them.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var mode = Mode.comparison
    /// What to measure, in this order.
    private(set) var cases = Case.all
    /// How many rounds to measure; each case has its own number if `nil`.
    private(set) var rounds: Int?
    /// How many requests: of one round, of the soak, or to the mock; each has its own number if `nil`.
    private(set) var requests: Int?
    /// What the soak's requests are drawn from.
    private(set) var seed = 1
    /// Whether the soak does without Teapot.
    private(set) var isPlain = false
    /// How many requests the mock keeps; all of them if `nil`.
    private(set) var keptRequests: Int? = 1_000

    /// Starts the server.
    static let serve = "--serve"

    static let usage = """
        usage: TeapotBenchmark [--case NAME]... [--rounds N] [--requests N]
               TeapotBenchmark --list
               TeapotBenchmark --soak [--plain] [--requests N] [--seed N]
               TeapotBenchmark --mock [--requests N] [--keep N | --keep-all]

          --case NAME    measures this case, and others named in the same way; without it, all
          --list         prints the cases, and what they compare
          --rounds N     rounds to measure; without it, each case has its own number
          --requests N   requests of each round, or of the soak (50000), or to the mock (100000)
          --soak         sends requests of all kinds, and looks whether descriptors, threads or memory grow
          --plain        does that with URLSession alone, for comparison
          --seed N       what the soak's requests are drawn from (1)
          --mock         makes calls to a mock, and looks how long they take and whether memory grows
          --keep N       how many requests the mock keeps (1000)
          --keep-all     has it keep all of them
        """

    /// Reads arguments.
    ///
    /// - Throws: ``Problem`` when they make no sense.
    init(_ arguments: some Sequence<String>) throws(Problem) {
        var rest = Array(arguments)[...]
        switch rest.first {
        case Self.serve: mode = .server
        case "--list": mode = .list
        case "--soak": mode = .soak
        case "--mock": mode = .mock
        default: break
        }
        if mode != .comparison { rest.removeFirst() }
        var named: [Case] = []
        while let name = rest.popFirst() {
            switch (name, mode) {
            case ("--case", .comparison): named.append(try Self.namedCase(try Self.value(of: name, &rest)))
            case ("--rounds", .comparison): rounds = try Self.number(of: name, &rest)
            case ("--requests", .comparison), ("--requests", .soak), ("--requests", .mock):
                requests = try Self.number(of: name, &rest)
            case ("--plain", .soak): isPlain = true
            case ("--seed", .soak): seed = try Self.number(of: name, &rest)
            case ("--keep", .mock): keptRequests = try Self.number(of: name, &rest)
            case ("--keep-all", .mock): keptRequests = nil
            default: throw Problem(description: "\(name) is no option, or has no place here")
            }
        }
        if !named.isEmpty { cases = named }
    }

    private static func value(of name: String, _ rest: inout ArraySlice<String>) throws(Problem) -> String {
        guard let value = rest.popFirst() else { throw Problem(description: "\(name) needs a value") }
        return value
    }

    private static func number(of name: String, _ rest: inout ArraySlice<String>) throws(Problem) -> Int {
        let text = try value(of: name, &rest)
        guard let number = Int(text), (1...1_000_000_000).contains(number) else {
            throw Problem(description: "\(name) needs a number from 1 to 1000000000, not \(text)")
        }
        return number
    }

    private static func namedCase(_ name: String) throws(Problem) -> Case {
        guard let named = Case.all.first(where: { $0.name == name }) else {
            throw Problem(description: "there is no case \(name); --list shows which there are")
        }
        return named
    }
}
