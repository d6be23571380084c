#if os(Linux)
    import Teapot
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

        /// libcurl before 8.3 loses the zone of an address from a URL that is parsed.
        @Test func `an origin is parsed once, but not one with a zone`() throws {
            let engine = try CurlEngine.idle()
            let addresses = AddressList(.none)
            func address(_ url: String) throws -> CurlAddress {
                addresses.address(for: try .idle(url, of: engine))
            }
            let first = try address("http://tea.example/a?b")
            let second = try address("http://tea.example/c#d")
            #expect(first.url != nil && first.url === second.url)
            #expect([first.text, second.text] == ["http://tea.example", "http://tea.example"])
            #expect([first.target, second.target] == ["/a?b", "/c"])
            let zone = try address("http://[fe80::1%25lo]/a?b")
            #expect(zone.url == nil)
            #expect(zone.text == "http://[fe80::1%25lo]/a?b")
            #expect(zone.target == "/a?b")
            addresses.forget()
            #expect(addresses.isEmpty)
        }

        @Test(arguments: [
            "http://tea.example/a b", "http://tea.example/\r\nx", "http://tea.example/\u{7F}", "http://tea.example/é",
        ])
        func `what no URL has is left to libcurl`(url: String) {
            #expect(AddressList.parts(of: url) == nil)
        }
    }
#endif
