#if os(Linux)
    import Teapot
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct ChunkDecoderTests {
        @Test(
            arguments: brief(
                [
                    ("3\r\ntea\r\n0\r\n\r\n", "tea"), ("3\ntea\n0\n\n", "tea"),
                    ("003;a=\"b\"\r\ntea\r\n000;c\r\n\r\n", "tea"),
                    ("1\r\nt\r\nb\r\nea and cups\r\n0\r\n\r\n", "tea and cups"), ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
                    ("0\r\nX-A: 0\r\nX-B: b\r\n\r\n", ""),
                    ("A\r\n0\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n0\r\n\r\n"),
                ] as [(String, String)]
            )
        )
        func `chunks are decoded, wherever they are split`(_ argument: Brief<(String, String)>) {
            let (chunks, body) = argument.value
            let bytes = Data(chunks.utf8)
            for split in 0...bytes.count {
                var decoder = ChunkDecoder()
                var decoded = decoder.decode(bytes.prefix(split))
                #expect(decoder.isComplete == (split == bytes.count))
                decoded += decoder.decode(bytes.dropFirst(split))
                #expect(decoder.isComplete)
                #expect(decoded == Data(body.utf8))
            }
        }

        @Test(arguments: brief(["", "0\r\n", "FFFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n", "3\r\nte"]))
        func `a body without its end is not complete`(_ argument: Brief<String>) {
            let chunks = argument.value
            var decoder = ChunkDecoder()
            _ = decoder.decode(Data(chunks.utf8))
            #expect(!decoder.isComplete)
        }
    }
#endif
