#if os(Linux)
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct AddressListTests {
        @Test(arguments: [
            ("http://tea.example/pots", "http://tea.example", "/pots"),
            (
                "HTTPS://tea.example:8443/a/../b//c?size=2&&/?#at:/top", "HTTPS://tea.example:8443",
                "/a/../b//c?size=2&&/?"
            ),
            ("http://[::1]:80/?", "http://[::1]:80", "/?"),
            ("http://tea.example", "http://tea.example", "/"),
            ("http://tea.example?a=/b", "http://tea.example", "/?a=/b"),
            ("http://tea.example#a?b", "http://tea.example", "/"),
        ])
        func `an origin, and what is sent to it`(url: String, origin: String, target: String) throws {
            let parts = try #require(AddressList.parts(of: url))
            #expect(parts.origin == origin)
            #expect(parts.target == target)
        }

        @Test(arguments: [
            "http://tea.example/a b", "http://tea.example/\r\nx", "http://tea.example/\u{7F}", "http://tea.example/é",
        ])
        func `what no URL has is left to libcurl`(url: String) {
            #expect(AddressList.parts(of: url) == nil)
        }
    }
#endif
