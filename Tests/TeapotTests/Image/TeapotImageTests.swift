internal import Foundation
internal import Teapot
internal import Testing

@Suite("TeapotImage")
struct TeapotImageTests {
    @Test func isNilForDataThatIsNotAnImage() {
        #expect(TeapotImage(data: Data("not an image".utf8)) == nil)
        #expect(TeapotImage(data: Data()) == nil)
    }

    #if !canImport(UIKit) && !canImport(AppKit)
        @Test(arguments: ImageFixture.all)
        func keepsTheBytesTheFormatAndTheSize(_ fixture: ImageFixture) throws {
            let data = try fixture.data()
            let image = try #require(TeapotImage(data: data))
            #expect(image.data == data)
            #expect(image.format == fixture.format)
            #expect(image.pixelWidth == ImageFixture.pixelWidth)
            #expect(image.pixelHeight == ImageFixture.pixelHeight)
            #expect(image == TeapotImage(data: data))
        }
    #endif
}
