#if os(Linux)
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct FieldBytesTests {
        private func sentBack(_ bytes: [UInt8]) -> [UInt8] {
            let value = bytes.withUnsafeBufferPointer { FieldBytes.text(of: $0, isReturned: true) }
            return FieldBytes.bytes(ofReversible: value) ?? Array(value.utf8)
        }

        @Test func `every pair of bytes comes back`() {
            let all = UInt8.min...UInt8.max
            for first in all {
                for second in all where sentBack([first, second]) != [first, second] {
                    Issue.record("\(first), \(second) is \(sentBack([first, second]))")
                }
            }
        }

        @Test func `characters come back`() {
            let some = Array(stride(from: UInt32(0), to: 0x11_0000, by: 257))
            for value in some + (0x10_F000...0x10_F1FF) + (0..<0x200) {
                guard let scalar = Unicode.Scalar(value) else { continue }
                let bytes = Array(String(scalar).utf8)
                if sentBack(bytes) != bytes || sentBack(bytes + [0xE9]) != bytes + [0xE9] { Issue.record("\(value)") }
            }
        }

        @Test(arguments: ["tea", "café", "茶"])
        func `text in UTF-8 stays as it is`(text: String) {
            #expect(Array(text.utf8).withUnsafeBufferPointer { FieldBytes.text(of: $0, isReturned: true) } == text)
            #expect(FieldBytes.bytes(ofReversible: text) == nil)
        }
    }
#endif
