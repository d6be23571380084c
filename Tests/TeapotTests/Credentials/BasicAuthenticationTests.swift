import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct BasicAuthenticationTests {
    private let teapot: Teapot

    init() throws {
        teapot = try Teapot(baseURL: #require(URL(string: "http://h")))
    }

    @Test func `encodes admin`() {
        #expect(teapot.basicAuthenticationHeaderKey == "Authorization")
        #expect(
            teapot.basicAuthenticationValue(username: "admin", password: "test123") == "Basic YWRtaW46dGVzdDEyMw=="
        )
        #expect(
            teapot.basicAuthenticationHeader(username: "admin", password: "test123")
                == ["Authorization": "Basic YWRtaW46dGVzdDEyMw=="]
        )
    }

    static let encodedCredentials = [
        ("", ""), ("Aladdin", "open sesame"), ("a", "b:c:"), ("ü", "漢字😀"), ("a b", " "),
        (String(repeating: "u", count: 1_000), String(repeating: "p", count: 1_000)),
    ]

    @Test(arguments: brief(encodedCredentials))
    func `encodes UTF-8`(_ argument: Brief<(String, String)>) throws {
        let (username, password) = argument.value
        let value = try #require(teapot.basicAuthenticationValue(username: username, password: password))
        #expect(value.hasPrefix("Basic "))
        let decoded = try #require(Data(base64Encoded: String(value.dropFirst(6))))
        #expect(String(decoding: decoded, as: UTF8.self) == "\(username):\(password)")
    }

    static let invalidCredentials = [
        ("a:b", "c"), (":", ""), ("a:\u{301}b", "c"), ("a\n", "c"), ("a", "c\r\nX: y"), ("\0", ""), ("a", "\u{7F}"),
        ("a", "\u{85}"), ("a\t", "b"),
    ]

    @Test(arguments: brief(invalidCredentials))
    func `refuses what the scheme cannot express`(_ argument: Brief<(String, String)>) {
        let (username, password) = argument.value
        #expect(teapot.basicAuthenticationValue(username: username, password: password) == nil)
        #expect(teapot.basicAuthenticationHeader(username: username, password: password).isEmpty)
    }
}
