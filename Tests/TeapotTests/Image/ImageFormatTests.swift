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
        "%PDF-1.7", "PK\u{3}\u{4}",
    ]

    @Test(arguments: brief(otherData))
    func `is not seen in other data`(_ argument: Brief<String>) {
        let text = argument.value
        #expect(ImageFormat(signatureOf: Data(text.utf8)) == nil)
        #expect(ImageHeader(Data(text.utf8)) == nil)
    }

    @Test(arguments: [
        (ImageFormat.png, "image/png"), (.jpeg, "image/jpeg"), (.gif, "image/gif"), (.webp, "image/webp"),
        (.bmp, "image/bmp"), (.tiff, "image/tiff"),
    ])
    func `has a media type`(_ format: ImageFormat, mediaType: String) {
        #expect(format.mediaType == mediaType)
    }
}
