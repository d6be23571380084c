import Foundation

/// The command-line arguments of the benchmark.
struct Arguments: Sendable {
    /// The task of the process.
    enum Mode: Sendable {
        /// Measure Teapot against `URLSession`.
        case comparison
        /// Count the instructions and allocations of calls without a server.
        case instructions
        /// Say which cases there are.
        case list
        /// Say which arguments there are.
        case help
        /// Write the files that another server is to offer.
        case files(directory: String)
        /// Send many requests, and look whether anything grows.
        case soak
        /// Make more and more calls at once, and show whether one of them takes more.
        case growth
        /// Be the server. Only the benchmark itself starts a process like this.
        case server
        /// Do one side of a case. Only the benchmark itself starts a process like this.
        case child(Work)

        /// The options that have a meaning for the task.
        fileprivate var options: Set<String> {
            switch self {
            case .comparison:
                [
                    "--case", "--rounds", "--requests", "--json", "--against", "--seed", "--unpinned", "--plot",
                    "--compare",
                ]
            case .instructions: ["--requests"]
            case .soak: ["--plain", "--curl", "--requests", "--seed"]
            case .growth: ["--against", "--requests"]
            case .list, .help, .files, .server, .child: []
            }
        }
    }

    /// The task of a child process.
    struct Work: Sendable {
        let make: Case.Maker
        let server: URL
        let requests: Int
    }

    /// The error in the arguments.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var mode = Mode.comparison
    /// The cases to measure, in this order.
    private(set) var cases = Case.all
    /// How many rounds to measure; each case has its own number if `nil`.
    private(set) var rounds: Int?
    /// How many requests: of one round, of the soak, or counted; each has its own number if `nil`.
    private(set) var requests: Int?
    /// Where another server has the files; the benchmark's own is used if `nil`.
    private(set) var server: URL?
    /// Where all figures are written to.
    private(set) var jsonPath: String?
    /// Where the figures are drawn to.
    private(set) var plotPath: String?
    /// The directory with packages of other clients.
    private(set) var peersPath: String?
    /// The seed of the order in a round, or of the soak's requests.
    private(set) var seed = 1
    /// Whether the client may run on all cores.
    private(set) var isUnpinned = false
    /// Whether the soak does without Teapot.
    private(set) var isPlain = false
    /// Whether the soak goes over `CurlTransport`.
    private(set) var isCurl = false

    /// Starts the server.
    static let serve = "--serve"

    static let usage = """
        usage: TeapotBenchmark [--case NAME]... [--rounds N] [--requests N] [--json FILE] [--against URL]
                               [--seed N] [--unpinned] [--plot FILE] [--compare DIRECTORY]
               TeapotBenchmark --instructions [--requests N]
               TeapotBenchmark --list
               TeapotBenchmark --write-files DIRECTORY
               TeapotBenchmark --soak [--plain | --curl] [--requests N] [--seed N]
               TeapotBenchmark --growth --against URL [--requests N]

          --case NAME    measures this case; can be repeated; all cases by default;
                         get-N sends N requests at a time
          --rounds N     sets the number of rounds; each case has its own by default
          --requests N   sets the number of requests of a round, of the soak (50000), or to count (500)
          --json FILE    also writes all figures to a file
          --against URL  measures against another server, which offers the files below this URL
          --plot FILE    draws the ratios as bars with quartiles, to an SVG file
          --compare DIRECTORY
                         also builds and measures the packages in this directory: Get, Alamofire,
                         AsyncHTTPClient, or any peer
          --instructions counts the instructions of a call, with valgrind, and its allocations
          --list         lists the cases, and explains what each compares
          --write-files DIRECTORY
                         writes the files for another server
          --soak         sends requests of all kinds, and shows whether descriptors, threads or memory grow
          --plain        sends them with URLSession alone, for comparison
          --curl         sends them over CurlTransport
          --growth       shows what a call and an open stream take over CurlTransport, the more there are
                         at once; the server has the addresses from 127.0.0.1 to 127.0.0.200, and a path
                         "open" whose body does not end
          --seed N       sets the seed for the order in a round, or for the soak's requests (1)
          --unpinned     leaves client and server on all cores
        """

    /// Reads arguments.
    ///
    /// - Throws: ``Problem`` when they make no sense.
    init(_ arguments: some Sequence<String>) throws(Problem) {
        var rest = Array(arguments)[...]
        mode = try Self.mode(&rest)
        var named: [Case] = []
        while let name = rest.popFirst() {
            guard mode.options.contains(name) else {
                throw Problem(description: "unknown or misplaced option: \(name)")
            }
            switch name {
            case "--case": named.append(try Self.namedCase(try Self.value(of: name, &rest)))
            case "--rounds": rounds = try Self.number(of: name, &rest)
            case "--json": jsonPath = try Self.value(of: name, &rest)
            case "--compare": peersPath = try Self.value(of: name, &rest)
            case "--plot": plotPath = try Self.value(of: name, &rest)
            case "--against": server = try Self.serverURL(try Self.value(of: name, &rest))
            case "--requests": requests = try Self.number(of: name, &rest)
            case "--seed": seed = try Self.number(of: name, &rest)
            case "--plain": isPlain = true
            case "--curl": isCurl = true
            default: isUnpinned = true
            }
        }
        if !named.isEmpty { cases = named }
    }

    /// Takes what says the mode, if anything does, off the arguments.
    private static func mode(_ rest: inout ArraySlice<String>) throws(Problem) -> Mode {
        let modes = [
            "--instructions": Mode.instructions, "--list": .list, "--help": .help, "--soak": .soak, "--growth": .growth,
            serve: .server,
        ]
        if let first = rest.first, let mode = modes[first] {
            rest.removeFirst()
            return mode
        }
        switch rest.first {
        case "--write-files":
            rest.removeFirst()
            return .files(directory: try value(of: "--write-files", &rest))
        case ChildProcess.argument:
            rest.removeFirst()
            return .child(try work(&rest))
        default:
            return .comparison
        }
    }

    private static func work(_ rest: inout ArraySlice<String>) throws(Problem) -> Work {
        let name = ChildProcess.argument
        let caseName = try value(of: name, &rest)
        let sideName = try value(of: name, &rest)
        guard let side = Side.own.first(where: { $0.rawValue == sideName }) else {
            throw Problem(description: "\(name) needs a side")
        }
        let counted = CountedCall.all.first { $0.name == caseName }?.make
        let growing = GrowingCall(named: caseName)
        let measured = counted == nil && growing == nil ? try namedCase(caseName) : nil
        guard let make = counted ?? growing?.workload ?? measured?.makers[side] else {
            throw Problem(description: "\(side.title) does not support \(caseName)")
        }
        let server = try serverURL(try value(of: name, &rest))
        return Work(make: make, server: server, requests: try number(of: name, &rest))
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
        guard let named = Case(named: name) else {
            throw Problem(description: "unknown case: \(name) (--list shows all cases)")
        }
        return named
    }

    private static func serverURL(_ text: String) throws(Problem) -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
        else {
            throw Problem(description: "\(text) is not the URL of an HTTP server")
        }
        return url
    }
}
