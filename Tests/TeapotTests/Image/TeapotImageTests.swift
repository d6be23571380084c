import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct TeapotImageTests {
    #if !canImport(UIKit) && !canImport(AppKit)
        @Test(arguments: ImageFixture.all)
        func `keeps the bytes, the format and the size`(_ fixture: ImageFixture) throws {
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
