@testable import Teapot
import TestTraits
import Testing

#if canImport(FoundationNetworking)
    /// Which of the responses that FoundationNetworking provides is the one of the exchange.
    @Suite(.inTurn)
    struct ReceptionTests {
        /// The response of a callback, or the task's before the body, before the end, or after a failure.
        enum Step {
            case callback(Int)
            case body(Int)
            case end(Int)
            case failure(Int)
        }

        static let tunneled: [(String, [Step], Int?)] = [
            ("a new tunnel", [.callback(200), .callback(404), .body(404), .end(404)], 404),
            ("a kept tunnel", [.callback(404), .body(404), .end(404)], 404),
            ("no body", [.callback(200), .callback(204), .end(204)], 204),
            ("a redirect without a callback", [.callback(200), .end(302)], 302),
            ("a redirect that was read late", [.callback(201), .body(302), .end(302)], 302),
            ("an early hint of the origin", [.callback(200), .callback(103), .callback(404), .body(404)], 404),
            ("a second tunnel", [.callback(200), .callback(201), .callback(500), .end(500)], 500),
            ("a refused tunnel", [.callback(407), .failure(407)], nil),
            ("a refusal that looks like a redirect", [.callback(304), .failure(304)], nil),
            ("no handshake", [.callback(200), .failure(200)], nil),
            ("an invented success", [.callback(201), .body(200), .end(200)], nil),
            ("a body that is cut off", [.callback(200), .callback(404), .body(404), .failure(404)], 404),
        ]

        /// The first task of a session, and one that may use a tunnel of another.
        @Test(arguments: [false, true])
        func `a body that follows the only response of a first tunnel is not the server's`(isFirst: Bool) throws {
            for steps in [[Step.callback(404), .body(404)], [.callback(200), .callback(404), .body(404)]] {
                let statuses = try statuses(steps, mayHaveTunnel: true, isFirst: isFirst)
                #expect(statuses == (isFirst && steps.count < 3 ? [] : [404]))
            }
            #expect(try statuses([.callback(404), .end(404)], mayHaveTunnel: true, isFirst: isFirst) == [404])
        }

        @Test func `a 101 is no answer of a proxy, and nothing may follow it`() throws {
            #expect(try statuses([.callback(200), .callback(101)], mayHaveTunnel: true) == [101])
        }

        static let direct: [(String, [Step], Int?)] = [
            ("a body", [.callback(404), .body(404), .end(404)], 404),
            ("an early hint", [.callback(103), .callback(404), .body(404)], 404),
            ("a failure", [.callback(404), .failure(404)], 404),
            ("a redirect without a callback", [.end(302)], 302),
            ("an invented success", [.body(200), .end(200)], nil),
        ]

        private func statuses(_ steps: [Step], mayHaveTunnel: Bool, isFirst: Bool = false) throws -> [Int] {
            let url = try #require(URL(string: "https://tea.example"))
            var isNext = isFirst
            let details = SessionDelegate.Details(
                body: nil,
                scheme: "https",
                tunnelOrigin: mayHaveTunnel ? Origin(url) : nil
            )
            let reception = SessionDelegate.Reception(receive: { _ in }, details: details)
            var responses: [Int: HTTPURLResponse] = [:]
            func response(_ status: Int) -> HTTPURLResponse? {
                responses[status] =
                    responses[status]
                    ?? HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
                return responses[status]
            }
            return try steps.compactMap { step in
                let event =
                    switch step {
                    case .callback(let status): reception.take(try #require(response(status)), isFirst: { _ in isNext })
                    case .body(let status): reception.takeLast(response(status), before: .body)
                    case .end(let status): reception.takeLast(response(status), before: .end)
                    case .failure(let status): reception.takeLast(response(status), before: .failure)
                    }
                isNext = false
                return event?.response?.statusCode
            }
        }

        @Test(arguments: brief(tunneled.indices) { tunneled[$0].0 })
        func `through a proxy, the last response counts once the body begins or the task ends`(
            _ index: Brief<Int>
        ) throws {
            let (_, steps, status) = Self.tunneled[index.value]
            #expect(try statuses(steps, mayHaveTunnel: true) == [status].compactMap { $0 })
        }

        @Test(arguments: brief(direct.indices) { direct[$0].0 })
        func `without a proxy, the first one counts at once`(_ index: Brief<Int>) throws {
            let (_, steps, status) = Self.direct[index.value]
            #expect(try statuses(steps, mayHaveTunnel: false) == [status].compactMap { $0 })
        }
    }
#endif
