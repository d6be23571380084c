import Foundation
import Teapot
import TeapotMock
import TestTraits
import Testing

/// Runs what the page on migrating shows. `SamplesMigratingXCTest` is the test of its client.
@Suite(.inTurn)
struct SamplesRunMigratingTests {
    private let mock = MockTeapot(bundle: .module, mockFilename: "account")

    @Test func sendsAForm() {
        MigratingSamples.form(mock) { _ in }
        #expect(mock.requests.first?.headerFields["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(mock.requests.first?.body == Data("user=ada&word=tea".utf8))
    }

    @Test func signsTheBytesThatAreSent() {
        MigratingSamples.signed(mock, sign: { String(decoding: $0, as: UTF8.self) }, done: { _ in })
        #expect(mock.requests.first?.body == Data(#"{"amount":12,"currency":"NOK"}"#.utf8))
        #expect(mock.requests.first?.headerFields["X-Signature"] == #"{"amount":12,"currency":"NOK"}"#)
    }
}
