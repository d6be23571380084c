package import Teapot

/// Writes the command line of each request.
package struct CurlPrinter: Teapot.Plugin {
    private let showsSecrets: Bool
    private let output: @Sendable (String) -> Void

    package init(showsSecrets: Bool = false, output: @escaping @Sendable (String) -> Void) {
        self.showsSecrets = showsSecrets
        self.output = output
    }

    package func willSend(_ request: Teapot.SentRequest) { output(request.curlCommand(showsSecrets: showsSecrets)) }
}
