import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct StatusCodeTests {
    static let names: [(MockTeapot.StatusCode, Int)] = [
        (.ok, 200), (.created, 201), (.accepted, 202), (.noContent, 204), (.notModified, 304), (.badRequest, 400),
        (.unauthorized, 401), (.forbidden, 403), (.notFound, 404), (.methodNotAllowed, 405), (.conflict, 409),
        (.gone, 410), (.unprocessableContent, 422), (.tooManyRequests, 429), (.internalServerError, 500),
        (.badGateway, 502), (.serviceUnavailable, 503), (.gatewayTimeout, 504),
    ]

    @Test(arguments: names)
    func `has its number`(_ statusCode: MockTeapot.StatusCode, number: Int) {
        #expect(statusCode.rawValue == number)
    }

    @Test(arguments: [Int.min, -1, 0, 1, 199, 200, 299, 300, 301, 302, 303, 307, 308, 599, 999, 1_000_000, Int.max])
    func `is any number`(_ number: Int) throws {
        let mock = MockTeapot(bundle: .module, statusCode: MockTeapot.StatusCode(rawValue: number))
        let result = try answer { mock.get("anything", completion: $0) }
        #expect(result.response.status == number)
        #expect(result.error?.type == ((200...299).contains(number) ? nil : .invalidResponseStatus))
    }
}
