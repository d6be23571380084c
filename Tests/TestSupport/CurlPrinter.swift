public import Teapot

/// Writes the command line of each request.
public struct CurlPrinter: Teapot.Plugin {
    private let showsSecrets: Bool
    private let output: @Sendable (String) -> Void

    public init(showsSecrets: Bool = false, output: @escaping @Sendable (String) -> Void) {
        self.showsSecrets = showsSecrets
        self.output = output
    }

    public func willSend(_ request: Teapot.SentRequest) { output(request.curlCommand(showsSecrets: showsSecrets)) }
}
