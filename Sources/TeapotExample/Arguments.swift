import Foundation

/// The command line of the example.
enum Arguments {
    /// Shows Teapot with a server; the embedded one if `nil`.
    case walkthrough(baseURL: URL?, runsAll: Bool)
    /// Measures and interrupts transfers of a number of bytes with the embedded server.
    case transfers(size: Int, seed: UInt64)
    /// Runs one transfer: the example starts itself as the process to be measured.
    case transfer(TransferJob)

    static let usage = """
        usage: TeapotExample [--all] [--base-url URL]
               TeapotExample --transfers [--size MB] [--seed SEED]

          --all            run every step, not only those that show their code
          --base-url URL   talk to the httpbin at this URL instead of an embedded server
          --transfers      download and upload a large file, each in a process of its own, and measure that;
                           then interrupt a download again and again, and resume it
          --size MB        how large the file is, from 1 to 1000 (200)
          --seed SEED      where downloads are interrupted; another place each time without it
        """

    /// Reads arguments; `nil` if they are invalid.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)
        if let job = TransferJob(rest) {
            self = .transfer(job)
            return
        }
        let all = rest.firstIndex(of: "--all")
        if let all { rest.remove(at: all) }
        let isTransfers = rest.first == "--transfers"
        if isTransfers { rest.removeFirst() }
        guard let options = Options(rest) else { return nil }
        if isTransfers {
            guard all == nil, options.isOnly(["size", "seed"]) else { return nil }
            let size = Int(options["size"] ?? "200"), seed = UInt64(options["seed"] ?? "\(Int.random(in: 0...999_999))")
            guard let size, (1...1000).contains(size), let seed else { return nil }
            self = .transfers(size: size * 1_000_000, seed: seed)
        } else {
            guard options.isOnly(["base-url"]) else { return nil }
            let baseURL = options.url("base-url")
            guard baseURL != nil || options["base-url"] == nil else { return nil }
            self = .walkthrough(baseURL: baseURL, runsAll: all != nil)
        }
    }
}
