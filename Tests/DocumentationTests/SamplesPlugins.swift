import Teapot

/// The samples of the article "Plugins". `SamplesRunPluginsTests` runs them.
enum PluginSamples {
    static func overview(_ teapot: Teapot, token: String) {
        teapot.plugins = [Credential.bearer(token), CurlPrinter()]
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

    struct Metrics: Teapot.Plugin {
        let record: @Sendable (_ host: String, _ status: Int?, _ timings: Teapot.Timings) -> Void

        func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
            let status = (try? result.get().status) ?? result.failure?.responseStatus
            if let timings = request.timings { record(request.urlRequest.url?.host() ?? "", status, timings) }
        }
    }

    struct Tracing: Teapot.Plugin {
        let begin: @Sendable (_ id: Int, _ name: String) -> Void
        let end: @Sendable (_ id: Int, _ error: TeapotError?) -> Void

        func willSend(_ request: Teapot.SentRequest) { begin(request.id, request.urlRequest.httpMethod ?? "") }

        func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
            end(request.id, result.failure)
        }
    }

    struct LogBridge: Teapot.Plugin {
        let log: @Sendable (String) -> Void

        func willSend(_ request: Teapot.SentRequest) { log("[\(request.id)] \(request)") }

        func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
            let outcome = result.failure.map { "\($0)" } ?? "ok"
            log("[\(request.id)] \(outcome) after \(request.timings?.total ?? .zero)")
        }
    }

    static func credentials(_ teapot: Teapot, password: String, key: String) {
        teapot.plugins = [Credential.basic(username: "ada", password: password)]
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

extension Result {
    var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
