import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct ChallengeTests {
    private func parse(_ field: String) -> [String] {
        Teapot.Challenge.challenges(in: field).map { challenge in
            let parameters = challenge.parameters.sorted(by: <).map { "\($0)=\($1)" }
            return ([challenge.scheme] + (challenge.token68.map { ["[\($0)]"] } ?? []) + parameters).joined(
                separator: "|"
            )
        }
    }

    @Test(
        arguments: [
            ("", []),
            ("Basic", ["basic"]),
            (#"Basic realm="a, b\"c""#, [#"basic|realm=a, b"c"#]),
            (
                #"Bearer realm="https://auth.example/token",service="registry",scope="repository:tea:pull,push""#,
                ["bearer|realm=https://auth.example/token|scope=repository:tea:pull,push|service=registry"]
            ),
            // RFC 9110, section 11.6.1
            (
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                ["basic|realm=simple", #"newauth|realm=apps|title=Login to "apps"|type=1"#]
            ),
            ("Negotiate, Basic realm=x", ["negotiate", "basic|realm=x"]),
            ("Negotiate YII/+-._~==, Basic", ["negotiate|[YII/+-._~==]", "basic"]),
            ("NTLM abc , , Digest qop = \"auth\" ,nonce=1", ["ntlm|[abc]", "digest|nonce=1|qop=auth"]),
            ("Basic REALM=a, Realm=b", ["basic|realm=a"]),
        ] as [(String, [String])]
    )
    func `parses challenges`(field: String, challenges: [String]) {
        #expect(parse(field) == challenges)
    }

    @Test(
        arguments: [
            ("=", []),
            (",,,", []),
            (#""Basic""#, []),
            (#"realm="a", Basic realm=b"#, ["basic|realm=b"]),
            (#"Basic realm="never closed, Digest"#, ["basic|realm=never closed, Digest"]),
            (#"Basic realm="a" junk, Digest nonce=1"#, ["basic|realm=a", "digest|nonce=1"]),
            (#"Basic "quoted", Digest nonce=1"#, ["digest|nonce=1"]),
            ("Basic a b, Digest", ["basic", "digest"]),
            // Only after a blank, parameters are those of the scheme.
            (#"Basic, realm="foo""#, []), (#"realm="Staff, Basic realm", Digest nonce=1"#, ["digest|nonce=1"]),
            (#"Digest nonce=1 "x, Basic y", Bearer"#, ["digest|nonce=1", "bearer"]),
            (#"Basic,realm=foo,charset=utf-8, Digest nonce=1"#, ["digest|nonce=1"]),
            (#"Digest nonce=1, Basic,, realm="foo""#, ["digest|nonce=1"]),
            (#"Basic , realm="foo""#, ["basic|realm=foo"]),
            ("NTLM, Negotiate", ["ntlm", "negotiate"]), ("Basic,", ["basic"]),
        ] as [(String, [String])]
    )
    func `passes over what does not parse`(field: String, challenges: [String]) {
        #expect(parse(field) == challenges)
    }

    @Test func `a description shows no secret`() {
        for field in ["Negotiate hunter2", #"Bearer token="hunter2""#, #"Bearer realm="http://h/?password=hunter2""#] {
            #expect(!"\(Teapot.Challenge.challenges(in: field))".contains("hunter2"))
        }
    }
}
