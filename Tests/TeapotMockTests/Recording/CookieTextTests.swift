import Teapot
import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct CookieTextTests {
    @Test(
        arguments: brief(
            [
                (
                    "Set-Cookie",
                    #"sid="hush-1"; Path=/longpath; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Domain=a.test, b=hush-2;c"#,
                    ["hush-1", "hush-2"]
                ),
                // Where it was sent, it may have any name.
                (
                    "Cookie", "path=hush-1; Domain=\"hush-2\"; a=hush-3,b=hush-4",
                    ["hush-1", "hush-2", "hush-3,b=hush-4"]
                ),
                ("Set-Cookie", "a=hush-1, hush-2; Path=/longpath, c", ["hush-1", "hush-1, hush-2"]),
                ("set-cookie", "a=hush-1\nb=hush-2; Secure\nc=hush-3", ["hush-1", "hush-2", "hush-3"]),
            ] as [(String, String, [String])]
        )
    )
    func `has values that are secrets`(_ argument: Brief<(String, String, [String])>) {
        let (name, cookies, values) = argument.value
        var found = SecretValues()
        found.add(name, cookies: cookies)
        #expect(found.values == Set(values))
    }

    @Test(
        arguments: brief(
            [
                ("Set-Cookie", "a=x; Path=/; SameSite=Lax;HttpOnly", "a=*; Path=/; SameSite=Lax;HttpOnly"),
                ("set-cookie", "a=\"x y\" ; tea=x; x; Path=/a=b", "a=*; tea=*;*; Path=*"),
                ("Set-Cookie", "a=; Secure", "a=; Secure"), ("Set-Cookie", "x", "*"),
                ("Cookie", "a=x; Path=y;z; b=", "a=*; Path=*;*; b="),
            ] as [(String, String, String)]
        )
    )
    func `keeps names and known attributes in a recording`(_ argument: Brief<(String, String, String)>) {
        let (name, field, expected) = argument.value
        #expect(CookieText.replacingValues(in: field, of: name) { _ in "*" } == expected)
    }
}
