internal import Foundation

/// A plugin that writes each request as a command line for `curl`: see ``Teapot/Teapot/SentRequest/curlCommand(showsSecrets:)``.
///
/// As a plugin sees what those before it made of a request, its place in ``Teapot/Teapot/plugins`` does not matter.
public struct CurlPrinter: Teapot.Plugin {
    private let showsSecrets: Bool
    private let output: @Sendable (String) -> Void

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - showsSecrets: Whether credentials and other secrets are written, too, and bodies that the log does not show.
    ///   - output: Takes each line, without a line break at its end. It is called on any thread, on several at once, and must not
    ///     wait: calls make no progress meanwhile. Defaults to standard output.
    public init(showsSecrets: Bool = false, output: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.showsSecrets = showsSecrets
        self.output = output
    }

    /// Writes the line.
    public func willSend(_ request: Teapot.SentRequest) {
        output(request.curlCommand(showsSecrets: showsSecrets))
    }
}
