import Foundation
import LoopbackServer
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct ImageHeaderTests {
    @Test(arguments: ImageFixture.all)
    func `has the size of the image`(_ fixture: ImageFixture) throws {
        let header = try #require(try ImageHeader(fixture.data()))
        #expect(header.format == fixture.format)
        #expect(header.pixelWidth == ImageFixture.pixelWidth)
        #expect(header.pixelHeight == ImageFixture.pixelHeight)
        #expect(try ImageFormat(signatureOf: fixture.data()) == fixture.format)
        #if !canImport(UIKit) && !canImport(AppKit)
            let image = try #require(TeapotImage(data: fixture.data()))
            #expect(try image.data == fixture.data())
            #expect(image.format == fixture.format)
            #expect(image.pixelWidth == ImageFixture.pixelWidth)
            #expect(image.pixelHeight == ImageFixture.pixelHeight)
        #endif
    }

    @Test(arguments: ImageFixture.all)
    func `is read from a slice of data`(_ fixture: ImageFixture) throws {
        let image = try fixture.data()
        let slice = (Data(repeating: 0xFF, count: 1_000) + image + Data([0xFF]))[1_000..<1_000 + image.count]
        #expect(slice.startIndex == 1_000)
        #expect(ImageHeader(slice) == ImageHeader(image))
        #expect(ImageHeader(slice) != nil)
    }

    @Test(arguments: ImageFixture.all)
    func `of any prefix is the same or none`(_ fixture: ImageFixture) throws {
        let image = try fixture.data()
        let whole = ImageHeader(image)
        var wasRead = false
        for length in 0...image.count {
            let header = ImageHeader(image.prefix(length))
            // Once enough bytes are there, more of them change nothing.
            #expect(header == (wasRead ? whole : nil) || header == whole)
            wasRead = wasRead || header != nil
        }
        #expect(wasRead)
        #expect(ImageHeader(image.prefix(9)) == nil)
    }
}
