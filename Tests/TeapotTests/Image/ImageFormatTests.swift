import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct ImageFormatTests {
    static let otherData = [
        "", "B", "BM", "BMW makes cars and motorcycles.", "GIF", "GIF88a and so on", "RIFF----WAVEfmt ", "II*",
        "MM*\0----",
        "II+\0\u{8}\0\0\0", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "{\"png\": true}", "\u{89}PNG\r\n\u{1A}\n",
        "%PDF-1.7", "PK\u{3}\u{4}", "[]", "<!DOCTYPE html><html></html>", "<?xml version=\"1.0\"?>", "Not Found", "\0",
        "BM--------------\0\0\0\0", "BM------------}\0\0\0", "BM------------\r\0\0\0", "BM------------(\0\0",
        "BM------------(\0\0-",
    ]

    @Test(arguments: brief(otherData))
    func `is not seen in other data`(_ argument: Brief<String>) {
        let text = argument.value
        #expect(Teapot.ImageFormat(signatureOf: Data(text.utf8)) == nil)
        #expect(TeapotImage.make(from: Data(text.utf8)) == nil)
    }

    @Test(arguments: ImageFixture.all)
    func `is seen in a file and in a slice of data`(_ fixture: ImageFixture) throws {
        let image = try fixture.data()
        let slice = (Data(repeating: 0xFF, count: 1_000) + image + Data([0xFF]))[1_000..<1_000 + image.count]
        for data in [image, slice] {
            #expect(Teapot.ImageFormat(signatureOf: data) == fixture.format)
            #if !canImport(UIKit) && !canImport(AppKit)
                let image = try #require(TeapotImage(data: data))
                #expect(image.data == data)
                #expect(image.mediaType == fixture.format.mediaType)
            #endif
        }
    }

    /// An image that was cut off is an image: only its signature is read.
    @Test(arguments: ImageFixture.all)
    func `is seen from the signature on`(_ fixture: ImageFixture) throws {
        let image = try fixture.data()
        let isSeen = (0...image.count).map { Teapot.ImageFormat(signatureOf: image.prefix($0)) == fixture.format }
        let signature = try #require(isSeen.firstIndex(of: true))
        #expect((3...18).contains(signature))
        #expect(!isSeen[signature...].contains(false))
        #expect((0..<signature).allSatisfy { Teapot.ImageFormat(signatureOf: image.prefix($0)) == nil })
    }

    @Test(arguments: [12, 16, 40, 124] as [UInt8])
    func `is a bitmap with a header of a known length`(length: UInt8) {
        let start = Data("BM".utf8) + Data(count: 12)
        #expect(Teapot.ImageFormat(signatureOf: start + Data([length, 0, 0, 0])) == .bmp)
    }

    @Test(
        arguments: [
            (Teapot.ImageFormat.png, "image/png"), (.jpeg, "image/jpeg"), (.gif, "image/gif"), (.webp, "image/webp"),
            (.bmp, "image/bmp"), (.tiff, "image/tiff"),
        ] as [(Teapot.ImageFormat, String)]
    )
    func `has a media type`(_ format: Teapot.ImageFormat, mediaType: String) {
        #expect(format.mediaType == mediaType)
    }
}
