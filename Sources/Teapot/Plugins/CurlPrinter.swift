/// A plugin that logs each request as a `curl` command: see ``Teapot/Teapot/SentRequest/curlCommand(showsSecrets:)``.
///
/// It sees the final request, so its place in ``Teapot/Teapot/plugins`` does not matter.
public struct CurlPrinter: Teapot.Plugin {
    private let showsSecrets: Bool
    private let output: @Sendable (String) -> Void

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - showsSecrets: Whether to show credentials and other secrets, and bodies that the log does not show.
    ///   - output: Takes each command, without a line break at its end. It is called on any thread, on several at once, and
    ///     must not wait: calls make no progress meanwhile. Defaults to standard output.
    public init(showsSecrets: Bool = false, output: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.showsSecrets = showsSecrets
        self.output = output
    }

    /// Writes the command of a request.
    public func willSend(_ request: Teapot.SentRequest) {
        output(request.curlCommand(showsSecrets: showsSecrets))
    }
}
