import Foundation
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct LineSplitterTests {
    static let texts: [(text: String, lines: [String])] = [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\nb", ["a", "b"]),
        ("\n", [""]),
        ("\n\n", ["", ""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\r", ["a", "b"]),
        ("a\r\r\nb", ["a", "", "b"]),
        ("a\n\rb", ["a", "", "b"]),
        ("data: x\n\ndata: y\n\n", ["data: x", "", "data: y", ""]),
        ("ü\n😀\u{2028}b\n", ["ü", "😀\u{2028}b"]),
        ("e\u{301}\r\n", ["e\u{301}"]),
    ]

    /// However the bytes are cut into pieces.
    @Test(arguments: texts, [1, 2, 3, 100])
    func `end at each kind of break`(_ expected: (text: String, lines: [String]), length: Int) {
        var splitter = LineSplitter()
        var lines: [String] = []
        let bytes = Array(expected.text.utf8)
        for start in stride(from: 0, to: bytes.count, by: length) {
            splitter.append(Data(bytes[start..<min(start + length, bytes.count)]))
            while let line = splitter.next() { lines += [line] + splitter.next(maximum: 2) }
        }
        if let last = splitter.last() { lines.append(last) }
        // Iterators are asked again.
        #expect(splitter.next() == nil)
        #expect(splitter.last() == nil)
        #expect(lines == expected.lines)
    }
}
