import Teapot
import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct CookieTextTests {
    @Test func `has a value that is a secret`() {
        var found = SecretValues()
        found.add(
            "Set-Cookie",
            cookies: #"sid="hush-1"; Path=/longpath; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Domain=a.test, b=hush-2;c"#
        )
        #expect(found.values == ["hush-1", "hush-2"])
    }

    @Test func `may have any name where it was sent`() {
        var found = SecretValues()
        found.add("Cookie", cookies: "path=hush-1; Domain=\"hush-2\"; a=hush-3,b=hush-4")
        #expect(found.values == ["hush-1", "hush-2", "hush-3,b=hush-4"])
    }

    @Test func `may stand on a line of its own`() {
        var found = SecretValues()
        found.add("set-cookie", cookies: "a=hush-1\nb=hush-2; Secure\nc=hush-3")
        #expect(found.values == ["hush-1", "hush-2", "hush-3"])
    }
}
