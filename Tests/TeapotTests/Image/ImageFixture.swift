import Foundation
import Teapot
import Testing

/// An image file, as an image program wrote it.
struct ImageFixture: Sendable, CustomTestStringConvertible {
    static let all = [
        ImageFixture(filename: "rgb.png", format: .png),
        ImageFixture(filename: "baseline.jpg", format: .jpeg),
        ImageFixture(filename: "progressive.jpg", format: .jpeg),
        ImageFixture(filename: "palette.gif", format: .gif),
        ImageFixture(filename: "lossy.webp", format: .webp),
        ImageFixture(filename: "lossless.webp", format: .webp),
        ImageFixture(filename: "extended.webp", format: .webp),
        ImageFixture(filename: "bilevel.bmp", format: .bmp),
        ImageFixture(filename: "little-endian.tiff", format: .tiff),
        ImageFixture(filename: "big-endian.tiff", format: .tiff),
    ]

    let filename: String
    let format: Teapot.ImageFormat

    var testDescription: String { filename }

    func data() throws -> Data {
        let directory = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/Images")
        return try Data(contentsOf: directory.appendingPathComponent(filename))
    }
}
