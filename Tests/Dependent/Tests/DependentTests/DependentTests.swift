import Teapot
import TeapotMock
import Testing

@Test func importsAreEnough() {
    #expect(URL(string: "https://example.com")?.host == "example.com")
}
