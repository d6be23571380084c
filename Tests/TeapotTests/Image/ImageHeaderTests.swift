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

    @Test(arguments: ImageFixture.all)
    func `of damaged data never traps`(_ fixture: ImageFixture) throws {
        let image = try fixture.data()
        var generator = SeededGenerator(seed: 0x7EA)
        var readable = 0
        for _ in 0..<3_000 {
            var damaged = image
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                // The first bytes hold the lengths and offsets; most of the damage goes there.
                let reach = Bool.random(using: &generator) ? min(64, damaged.count) : damaged.count
                let byte = [0x00, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                damaged[Int.random(in: 0..<reach, using: &generator)] = byte.randomElement(using: &generator) ?? 0
            }
            if let header = ImageHeader(damaged.prefix(Int.random(in: 0...damaged.count, using: &generator))) {
                readable += 1
                #expect(header.pixelWidth > 0 && header.pixelHeight > 0)
            }
        }
        #expect(readable > 0)
    }

    static let otherData = [
        "", "hello", "GIF89a", "BM", "RIFF\0\0\0\0WEBP", "RIFF\0\0\0\0WEBPVP8Z-------------------", "II*\0",
        "{\"a\": 1}",
        "<html></html>",
    ]

    @Test(arguments: brief(otherData))
    func `of other data is nil`(_ argument: Brief<String>) {
        let text = argument.value
        #expect(ImageHeader(Data(text.utf8)) == nil)
    }
}
