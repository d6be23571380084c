import LoopbackServer
import Teapot
import TestSupport
import Testing

@Suite struct SmokeTests {
    @Test func basics() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL)
        let log = Logger(level: .incomingAndOutgoingData)
        teapot.logger = log
        for path in ["get?a=1&token=x", "status/404", "status/401", "redirect/3", "cookies/set?a=1", "bytes/10"] {
            let r = await result { teapot.get(path, deliveryQueue: .global(), completion: $0) }
            print(path, r.response.status, r.error as Any, r.json as Any)
        }
        let r = await result { teapot.post("post", parameters: ["a": 1], deliveryQueue: .global(), completion: $0) }
        print(r.json as Any)
        let s = await result { teapot.get("delay/3", timeoutInterval: 0.3, deliveryQueue: .global(), completion: $0) }
        print(s.error as Any, s.error?.failureReason as Any)
        let i = await imageResult { teapot.downloadImage(path: "image/png", deliveryQueue: .global(), completion: $0) }
        print(i.image?.pixelWidth as Any)
    }
}
