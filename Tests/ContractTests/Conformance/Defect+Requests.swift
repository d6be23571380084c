import Teapot
import TestSupport

extension Defect {
    /// What is wrong with methods, URLs and header fields of requests.
    static let requests: [Defect] = [
        .request(
            "sends PATCH as POST",
            ["the method arrives as it was given", "a Teapot sends each method, and gets the response"]
        ) {
            if $0.httpMethod == "PATCH" { $0.httpMethod = "POST" }
        },
        .request(
            "sends a method that it does not know as GET",
            ["a method that is not common arrives as it was given"]
        ) {
            let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
            if !known.contains($0.httpMethod ?? "") { $0.httpMethod = "GET" }
        },
        .request("escapes paths again", ["a path arrives with its escapes"]) {
            $0.replaceURL { $0.replacingOccurrences(of: "%", with: "%25") }
        },
        .request("tidies queries", ["a query arrives as it was written"]) {
            $0.replaceURL { $0.replacingOccurrences(of: "&&", with: "&") }
        },
        .request("drops header fields", ["header fields arrive, the case of their names aside"]) {
            $0.setValue(nil, forHTTPHeaderField: "X-Lower")
        },
        .request("tidies header fields", ["odd names and values of header fields arrive"]) { request in
            for (name, value) in request.allHTTPHeaderFields ?? [:] {
                request.setValue(value.replacingOccurrences(of: "  ", with: " "), forHTTPHeaderField: name)
            }
        },
        .request("drops credentials", ["an Authorization field arrives"]) {
            $0.setValue(nil, forHTTPHeaderField: "Authorization")
        },
        .request(
            "sends one value of a header field",
            ["a header field that was added twice arrives with both values"]
        ) { request in
            let value = request.value(forHTTPHeaderField: "X-Tea")?.components(separatedBy: ",").first
            request.setValue(value, forHTTPHeaderField: "X-Tea")
        },
        .request(
            "drops cookies",
            ["a Cookie field arrives", "a Teapot keeps cookies, and another one has others"]
        ) {
            $0.setValue(nil, forHTTPHeaderField: "Cookie")
        },
        Defect("keeps cookies", ["cookies are shown, and not kept"]) {
            let cookie = Locked<String?>(nil)
            return WrongTransport { base, request, file, receive in
                var request = request
                if let kept = cookie.withLock({ $0 }) { request.setValue(kept, forHTTPHeaderField: "Cookie") }
                return base.start(request, bodyFile: file) { event in
                    if case .response(let response) = event, let field = HeaderFields(response)["Set-Cookie"] {
                        cookie.withLock { $0 = field.components(separatedBy: ";").first }
                    }
                    receive(event)
                }
            }
        },
    ]
}

extension URLRequest {
    fileprivate mutating func replaceURL(_ change: (String) -> String) {
        url = url.flatMap { URL(string: change($0.absoluteString)) }
    }
}
