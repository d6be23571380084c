import LoopbackServer
import Teapot

extension Fault {
    /// Redirects that lead nowhere, or should not be followed.
    static let redirects: [Fault] = [
        refuses("a redirect to itself", redirect("/get"), 302)
            .with { $0.connections = 11 },
        refuses("a redirect to the same document", redirect("#there"), 302)
            .with { $0.connections = 11 },
        refuses("a loop of redirects", redirect("?again", "307 Temporary"), 307)
            .with { $0.connections = 11 },
        succeeds("ten redirects", redirect("/status/204"), 204, with: "").with { $0.connections = 10 },
        refuses(
            "a redirect without a location",
            answer("HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\n{}"),
            302,
            keeps: ""
        ),
        refuses("a redirect to an empty location", redirect(""), 302, keeps: ""),
        refuses("a redirect to a file", redirect("file:///etc/passwd"), 302),
        refuses("a redirect to data", redirect("data:,tea"), 302),
        refuses("a redirect to ftp", redirect("ftp://127.0.0.1/tea"), 302),
        refuses("a redirect to a script", redirect("javascript:alert(1)"), 302),
        refuses("a redirect to no host", redirect("http://"), 302),
        refuses("a redirect to an invalid port", redirect("http://127.0.0.1:99999/"), 302),
        fails(
            "a redirect to another origin where nobody listens",
            redirect("http://127.0.0.1:1/"),
            .noResponse,
            cause: .cannotConnectToHost
        ),
        // FoundationNetworking has no response then.
        fails(
            "a redirect that is closed in the body",
            answer("HTTP/1.1 302 Found\r\nLocation: /status/204\r\nContent-Length: 9\r\n\r\n{", .close),
            .noResponse
        ),
        refuses("a 300 with a location", redirect("/get", "300 Choices"), 300),
        refuses("a 305", redirect("/get", "305 Proxy"), 305),
        refuses("a 399 with a location", redirect("/get", "399 What"), 399),
        refuses("a redirect to a name with a tab", redirect("/ge\tt"), 302),
        succeeds("a redirect with spaces and letters of its own", redirect("/status/204?a b=ü"), 204, with: ""),
        succeeds("a redirect to an address with brackets in its query", redirect("/status/204?a[]=[1]"), 204, with: ""),
    ]

    private static func redirect(_ location: String, _ status: String = "302 Found") -> [Script.Step] {
        answer(
            "HTTP/1.1 \(status)\r\nLocation: \(location)\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
            .close
        )
    }
}
