#if canImport(FoundationNetworking)
    import TestSupport
    import TestTraits
    import Testing

    @testable import Teapot

    @Suite(.inTurn, .exitTests)
    struct ProxyAddressTests {
        @Test(arguments: [
            ("http://127.0.0.1:3128", "127.0.0.1:3128"), ("proxy.example", "proxy.example"),
            ("https://ada:hush@proxy.example:8080/", "proxy.example:8080"), ("ada:hush@[::1]:80", "[::1]:80"),
            ("http://ada:hu/sh@proxy.example", "proxy.example"), ("http://ada:h@u#s?h@tea:1/x", "tea:1"),
            ("http://ada:hush", "of the environment"), ("http://ada:hu sh", "of the environment"),
            ("", "of the environment"), ("@", "of the environment"),
        ])
        func `the name has neither user nor password`(address: String, name: String) {
            #expect(ProxyAddress(address).name == name)
        }

        /// As seen with libcurl 7.88, 8.14 and 8.23, or in its source.
        @Test(arguments: [
            (
                "http://u:hush/x@tea:1",
                "Unsupported proxy syntax in 'http://u:hush/x@tea:1': Port number was not a decimal"
            ),
            ("http://u:hu sh@tea:1", "Unsupported proxy syntax in 'http://u:hu sh@tea:1': Malformed input"),
            ("ftp://u:hush@tea:1", "Unsupported proxy scheme for 'ftp://u:hush@tea:1'"),
            // Texts end after 255 characters.
            ("http://u:hu@sh/x@tea:1", "Unsupported proxy syntax in 'http://u:hu@sh"),
            ("http://hush/x@tea:1", "Could not resolve proxy: hush"),
            ("http://hush/x@tea:1", "Couldn't resolve proxy 'hush'"),
            ("http://u:a@hush#x@tea:1", "Failed to connect to hush port 1080 after 0 ms: Couldn't connect to server"),
            ("http://hush:1?x@tea:1", "Failed to connect to hush port 1 after 0 ms"),
        ])
        func `a text about a misread address shows only its name`(address: String, text: String) {
            let redacted = ProxyAddress.redacted(text, of: ProxyAddress(address))
            #expect(
                redacted
                    == "libcurl does not support the proxy tea:1: check its scheme, and percent-encode its user and password"
            )
            #expect(!ProxyAddress.redacted(text, of: nil).contains("hush") || !text.hasPrefix("Unsupported"))
        }

        @Test(arguments: [
            ("Failed to connect to tea port 1: refused", "Failed to connect to tea port 1: refused"),
            ("cannot use 'http://u:hush@tea:1'", "cannot use <redacted>@tea:1'"),
            ("no such host: u:hu@sh@tea", "no such host<redacted>@tea"), ("u@tea", "u<redacted>@tea"),
        ])
        func `other texts lose what is before the last at sign`(text: String, redacted: String) {
            for proxy in [nil, ProxyAddress("http://u:hush@tea:1")] {
                #expect(ProxyAddress.redacted(text, of: proxy) == redacted)
            }
        }

        @Test func `there is no tunnel over SOCKS, nor to a host that needs no proxy`() async {
            await #expect(processExitsWith: .success) {
                let rows = [
                    ("http://p:1", "", true), ("p:1", "", true), ("https://p:1", "", true),
                    ("socks5h://p:1", "", false),
                    ("SOCKS4://p:1", "", false), ("p:1", "*", false), ("p:1", "a.example, Tea.Example", false),
                    ("p:1", ".tea.example", false), ("p:1", "example", false), ("p:1", "my.tea.example", true),
                    ("p:1", "ea.example", true), ("p:1", "10.0.0.0/8,*.example", true), ("p:1", ",.,", true),
                ]
                for (proxy, exceptions, mayMakeTunnel) in rows {
                    ProxyVariables.set(proxy, for: "https_proxy")
                    for name in ["no_proxy", "NO_PROXY"] {
                        setenv(name, exceptions, 1)
                        let address = ProxyAddress(environmentFor: "https")
                        #expect(address?.mayMakeTunnel(to: "tea.example") == mayMakeTunnel, "\(proxy), \(exceptions)")
                        unsetenv(name)
                    }
                }
            }
        }

        @Test func `the environment names it as libcurl reads it`() async {
            await #expect(processExitsWith: .success) {
                for (name, schemes) in [
                    ("http_proxy", ["http"]), ("HTTP_PROXY", []), ("https_proxy", ["https"]),
                    ("HTTPS_PROXY", ["https"]),
                    ("all_proxy", ["http", "https"]), ("ALL_PROXY", ["http", "https"]),
                ] {
                    for scheme in ["http", "https"] {
                        ProxyVariables.set("tea:1", for: name)
                        let address = ProxyAddress(environmentFor: scheme)
                        #expect(address?.name == (schemes.contains(scheme) ? "tea:1" : nil), "\(name), \(scheme)")
                        ProxyVariables.set("", for: name)
                        #expect(ProxyAddress(environmentFor: scheme) == nil)
                    }
                }
            }
        }
    }
#endif
