import Teapot

/// The samples of the article "Plugins". `SamplesRunPluginsTests` runs them.
enum PluginSamples {
    static func overview(_ teapot: Teapot, token: String) {
        teapot.plugins = [.bearer(token), CurlPrinter()]
    }

    struct RequestName: Teapot.Plugin {
        func prepare(_ request: inout URLRequest) {
            request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-ID")
        }
    }

    struct StatusReport: Teapot.Plugin {
        let report: @Sendable (String) -> Void

        func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
            switch result {
            case .success(let response): report("\(request): \(response.status)")
            case .failure(let error): report("\(request): \(error)")
            }
        }
    }

    static func credentials(_ teapot: Teapot, password: String, key: String) {
        teapot.plugins = [.basic(username: "ada", password: password)]
        teapot.plugins = [Credential(headerField: "X-API-Key", value: key)]
    }

    static func counter(_ teapot: Teapot, _ otherTeapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        let counter = RequestCounter { count in
            show(count > 0 ? "loading" : "")
        }
        teapot.plugins = [counter]
        otherTeapot.plugins = [counter]
    }

    static func curl(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        teapot.plugins = [CurlPrinter { line in show(line) }]
    }
}
