import LoopbackServer
import Teapot

extension Fault {
    /// Redirects that lead nowhere, or should not be followed.
    static let redirects: [Fault] = [
        fails("a redirect to itself", redirect("/get"), .invalidResponseStatus, 302, keeps: "{}")
            .with { $0.connections = 11 },
        fails("a redirect to the same document", redirect("#there"), .invalidResponseStatus, 302, keeps: "{}")
            .with { $0.connections = 11 },
        fails("a loop of redirects", redirect("?again", "307 Temporary"), .invalidResponseStatus, 307, keeps: "{}")
            .with { $0.connections = 11 },
        succeeds("ten redirects", redirect("/status/204"), 204, with: "").with { $0.connections = 10 },
        fails(
            "a redirect without a location",
            answer("HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\n{}"),
            .invalidResponseStatus,
            302
        ),
        fails("a redirect to an empty location", redirect(""), .invalidResponseStatus, 302),
        fails("a redirect to a file", redirect("file:///etc/passwd"), .invalidResponseStatus, 302, keeps: "{}"),
        fails("a redirect to data", redirect("data:,tea"), .invalidResponseStatus, 302, keeps: "{}"),
        fails("a redirect to ftp", redirect("ftp://127.0.0.1/tea"), .invalidResponseStatus, 302, keeps: "{}"),
        fails("a redirect to a script", redirect("javascript:alert(1)"), .invalidResponseStatus, 302, keeps: "{}"),
        fails("a redirect to no host", redirect("http://"), .invalidResponseStatus, 302, keeps: "{}"),
        fails(
            "a redirect to a port that is none",
            redirect("http://127.0.0.1:99999/"),
            .invalidResponseStatus,
            302,
            keeps: "{}"
        ),
        fails(
            "a redirect to another origin where nobody listens",
            redirect("http://127.0.0.1:1/"),
            .noResponse,
            cause: .cannotConnectToHost
        ),
        // FoundationNetworking has no response then.
        fails(
            "a redirect that is closed in the body",
            answer("HTTP/1.1 302 Found\r\nLocation: /get\r\nContent-Length: 9\r\n\r\n{", .close),
            .noResponse
        ),
        fails("a 300 with a location", redirect("/get", "300 Choices"), .invalidResponseStatus, 300, keeps: "{}"),
        fails("a 305", redirect("/get", "305 Proxy"), .invalidResponseStatus, 305, keeps: "{}"),
        fails("a 399 with a location", redirect("/get", "399 What"), .invalidResponseStatus, 399, keeps: "{}"),
        fails("a redirect to a name with a tab", redirect("/ge\tt"), .invalidResponseStatus, 302, keeps: "{}"),
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
