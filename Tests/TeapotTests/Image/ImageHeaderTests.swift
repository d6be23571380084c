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

    struct Header: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let size: [Int]?

        init(_ description: String, _ bytes: [UInt8], _ size: [Int]?) {
            testDescription = description
            self.bytes = bytes
            self.size = size
        }
    }

    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)

    static let pngs = [
        Header("one pixel", png + [0, 0, 0, 1, 0, 0, 0, 1], [1, 1]),
        Header(
            "the largest size",
            png + [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF],
            [0x7FFF_FFFF, 0x7FFF_FFFF]
        ),
        Header("width too large", png + [0x80, 0, 0, 0, 0, 0, 0, 1], nil),
        Header("height too large", png + [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF], nil),
        Header("no width", png + [0, 0, 0, 0, 0, 0, 0, 1], nil),
        Header("no height", png + [0, 0, 0, 1, 0, 0, 0, 0], nil),
        Header("one byte short", png + [0, 0, 0, 1, 0, 0, 0], nil),
        Header("another first chunk", png.dropLast(4) + Array("tEXt".utf8) + [0, 0, 0, 1, 0, 0, 0, 1], nil),
    ]

    static let gifs = [
        Header("version 87a", Array("GIF87a".utf8) + [2, 1, 3, 0], [258, 3]),
        Header("no width", Array("GIF89a".utf8) + [0, 0, 3, 0], nil),
        Header("no height", Array("GIF89a".utf8) + [3, 0, 0, 0], nil),
    ]

    private static func bitmap(_ rest: [UInt8]) -> [UInt8] {
        Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + rest
    }

    static let bitmaps = [
        Header("core header", bitmap([12, 0, 0, 0, 2, 1, 3, 0]), [258, 3]),
        Header("core header without height", bitmap([12, 0, 0, 0, 2, 1, 0, 0]), nil),
        Header("core header cut off", bitmap([12, 0, 0, 0, 2, 1, 3]), nil),
        Header("top-down", bitmap([40, 0, 0, 0, 5, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF]), [5, 2]),
        Header("the least height", bitmap([40, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0x80]), [5, 0x8000_0000]),
        Header("negative width", bitmap([40, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0]), nil),
        Header("no width", bitmap([40, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]), nil),
        Header("no height", bitmap([40, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]), nil),
        Header("version 5", bitmap([124, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]), [1, 2]),
        Header("no such header", bitmap([125, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]), nil),
        Header("a huge header", bitmap([0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 2, 0, 0, 0]), nil),
    ]

    private static func frame(_ marker: UInt8) -> [UInt8] {
        [0xFF, marker, 0, 11, 8, 0, 3, 2, 1, 1, 0, 0x11, 0]
    }

    static let jpegs =
        (UInt8(0xC0)...0xCF).map { marker in
            let isFrame = ![0xC4, 0xC8, 0xCC].contains(marker)
            return Header(
                "marker \(String(marker, radix: 16))",
                [0xFF, 0xD8] + frame(marker),
                isFrame ? [513, 3] : nil
            )
        } + [
            Header("fill bytes", [0xFF, 0xD8, 0xFF, 0xFF, 0xFF] + frame(0xC0), [513, 3]),
            Header("nothing but fill bytes", [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 1_000), nil),
            Header(
                "markers that stand alone",
                [0xFF, 0xD8, 0xFF, 0xD8, 0xFF, 0x01, 0xFF, 0xD3] + frame(0xC2),
                [513, 3]
            ),
            Header("tables before the frame", [0xFF, 0xD8, 0xFF, 0xC4, 0, 4, 0xFF, 0xC0] + frame(0xC1), [513, 3]),
            Header("an empty segment", [0xFF, 0xD8, 0xFF, 0xE0, 0, 2] + frame(0xC0), [513, 3]),
            Header("a segment of length 1", [0xFF, 0xD8, 0xFF, 0xE0, 0, 1] + frame(0xC0), nil),
            Header("a segment of length 0", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + frame(0xC0), nil),
            Header("a segment that is too long", [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF] + frame(0xC0), nil),
            Header("a frame header that is too short", [0xFF, 0xD8, 0xFF, 0xC0, 0, 7, 8, 0, 3, 2, 1], nil),
            Header("other bytes between segments", [0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0x20] + frame(0xC0), nil),
            Header("a stuffed byte", [0xFF, 0xD8, 0xFF, 0x00] + frame(0xC0), nil),
            Header("the end first", [0xFF, 0xD8, 0xFF, 0xD9] + frame(0xC0), nil),
            Header("the scan first", [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + frame(0xC0), nil),
            Header("no height", [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 0, 2, 1], nil),
            Header("no width", [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 0], nil),
        ]

    private static func webp(_ chunk: String, _ payload: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WEBP\(chunk)".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + payload
    }

    static let webps = [
        Header("lossy, scaled", webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 2, 0x41, 3, 0xC0]), [258, 3]),
        Header("lossy, no key frame", webp("VP8 ", [1, 0, 0, 0x9D, 0x01, 0x2A, 2, 1, 3, 0]), nil),
        Header("lossy, no start code", webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2B, 2, 1, 3, 0]), nil),
        Header("lossy, no width", webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0, 0xC0, 3, 0]), nil),
        Header("lossy, no height", webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 2, 1, 0, 0]), nil),
        Header("lossless, the smallest", webp("VP8L", [0x2F, 0, 0, 0, 0]), [1, 1]),
        Header("lossless, the largest", webp("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0x1F]), [16_384, 16_384]),
        Header("lossless, a later version", webp("VP8L", [0x2F, 0, 0, 0, 0x20]), nil),
        Header("lossless, no signature", webp("VP8L", [0x2E, 0, 0, 0, 0]), nil),
        Header("extended, the smallest", webp("VP8X", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [1, 1]),
        Header(
            "extended, the largest",
            webp("VP8X", [0, 0, 0, 0] + [UInt8](repeating: 255, count: 6)),
            [1 << 24, 1 << 24]
        ),
        Header("no such chunk", webp("VP8Z", [UInt8](repeating: 1, count: 20)), nil),
        Header("extended, cut off", webp("VP8X", [0, 0, 0, 0, 0, 0, 0, 0, 0]), nil),
    ]

    private static func tiff(_ offset: [UInt8], _ directory: [UInt8]) -> [UInt8] {
        Array("MM\0*".utf8) + offset + directory
    }

    private static let shortWidth: [UInt8] = [1, 0, 0, 3, 0, 0, 0, 1, 2, 1, 0, 0]
    private static let longHeight: [UInt8] = [1, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 3]

    static let tiffs = [
        Header("a SHORT and a LONG", tiff([0, 0, 0, 8], [0, 2] + shortWidth + longHeight), [513, 3]),
        Header("the height first", tiff([0, 0, 0, 8], [0, 2] + longHeight + shortWidth), [513, 3]),
        Header(
            "little-endian",
            Array("II*\0".utf8) + [8, 0, 0, 0, 2, 0] + [0, 1, 3, 0, 1, 0, 0, 0, 2, 1, 9, 9] + [
                1, 1, 4, 0, 1, 0, 0, 0, 3, 0, 0, 0,
            ],
            [258, 3]
        ),
        Header("no height", tiff([0, 0, 0, 8], [0, 1] + shortWidth + [0, 0, 0, 8]), nil),
        Header("a chain back to itself", tiff([0, 0, 0, 8], [0, 0, 0, 0, 0, 8]), nil),
        Header("a directory on the header", tiff([0, 0, 0, 0], [0, 2] + shortWidth + longHeight), nil),
        Header("a directory behind the end", tiff([0, 1, 0, 0], [0, 2] + shortWidth + longHeight), nil),
        Header(
            "a directory at the last offset",
            tiff([0xFF, 0xFF, 0xFF, 0xFF], [0, 2] + shortWidth + longHeight),
            nil
        ),
        Header("more entries than there are", tiff([0, 0, 0, 8], [0xFF, 0xFF] + shortWidth), nil),
        Header(
            "two widths in one entry",
            tiff([0, 0, 0, 8], [0, 2, 1, 0, 0, 3, 0, 0, 0, 2, 2, 1, 0, 0] + longHeight),
            nil
        ),
        Header(
            "a width of another type",
            tiff([0, 0, 0, 8], [0, 2, 1, 0, 0, 5, 0, 0, 0, 1, 2, 1, 0, 0] + longHeight),
            nil
        ),
        Header("a width of zero", tiff([0, 0, 0, 8], [0, 2, 1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0] + longHeight), nil),
        Header(
            "the largest size",
            tiff([0, 0, 0, 8], [0, 2, 1, 0, 0, 4, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF] + longHeight),
            [0xFFFF_FFFF, 3]
        ),
    ]

    @Test(arguments: pngs + gifs + bitmaps + jpegs + webps + tiffs)
    func `is read`(_ header: Header) {
        #expect(ImageHeader(Data(header.bytes)).map { [$0.pixelWidth, $0.pixelHeight] } == header.size)
    }
}
