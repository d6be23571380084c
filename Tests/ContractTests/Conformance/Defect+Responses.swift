import Teapot
import TestSupport

extension Defect {
    /// What is wrong with statuses and header fields of responses.
    static let responses: [Defect] = [
        .response("takes every success for 200", ["a status arrives as it is"]) { response in
            response.with(status: response.status == 204 ? 200 : nil)
        },
        .events("takes a 401 for an error", ["a 401 arrives, whatever it challenges to"]) { event, _, receive in
            if case .response(let response) = event, response.status == 401 {
                return receive(.finished(URLError(.userAuthenticationRequired)))
            }
            receive(event)
        },
        Defect(
            "drops the bodies of errors",
            ["an error arrives with its body", "an error of the server is one of a Teapot, with its body"]
        ) {
            WrongTransport { base, request, file, receive in
                let isError = Locked(false)
                return base.start(request, bodyFile: file) { event in
                    if case .response(let response) = event { isError.withLock { $0 = response.status >= 400 } }
                    if case .data = event, isError.withLock({ $0 }) { return }
                    receive(event)
                }
            }
        },
        Defect(
            "follows redirects",
            ["a redirect arrives, and is not followed", "cookies are shown, and not kept"]
        ) {
            WrongTransport { base, request, file, receive in
                let isFollowed = Locked(false)
                return base.start(request, bodyFile: file) { event in
                    guard case .response(let response) = event, let place = HeaderFields(response)["Location"],
                        let url = URL(string: place, relativeTo: request.url)
                    else {
                        if !isFollowed.withLock({ $0 }) { receive(event) }
                        return
                    }
                    isFollowed.withLock { $0 = true }
                    _ = base.start(URLRequest(url: url.absoluteURL), bodyFile: nil, receive: receive)
                }
            }
        },
        .response(
            "hides where a redirect leads to",
            ["a redirect arrives, and is not followed", "a Teapot follows redirects, and sends a body again"]
        ) { response in
            response.with { $0["Location"] = nil }
        },
        .response("names another URL", ["a response names the URL of its request"]) { response in
            response.with(url: URL(string: "http://127.0.0.1/"))
        },
        .response(
            "keeps one value of a header field",
            ["header fields of a response arrive, repeated ones with all values"]
        ) { response in
            response.with { $0["X-Tea"] = $0["X-Tea"]?.components(separatedBy: ",").last }
        },
        .response(
            "hides Set-Cookie",
            ["cookies are shown, and not kept", "a Teapot keeps cookies, and another one has others"]
        ) { response in
            response.with { $0["Set-Cookie"] = nil }
        },
        .request("asks for GET when it should for HEAD", ["a response to HEAD has its header fields, and no body"]) {
            if $0.httpMethod == "HEAD" { $0.httpMethod = "GET" }
        },
    ]
}
