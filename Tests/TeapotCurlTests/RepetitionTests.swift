#if os(Linux)
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct RepetitionTests {
        private func sent(_ isRepeatable: Bool, stream: Int? = nil) -> Repetition {
            var repetition = Repetition(isRepeatable: isRepeatable)
            repetition.send(lastStream: nil)
            repetition.stream = stream
            return repetition
        }

        @Test func `a request is sent once, or once more if it is repeatable`() {
            #expect(Repetition(isRepeatable: false).isAllowed(lastStream: nil))
            #expect(!sent(false).isAllowed(lastStream: nil))
            var repetition = sent(true)
            #expect(repetition.isAllowed(lastStream: nil))
            repetition.send(lastStream: nil)
            #expect(!repetition.isAllowed(lastStream: nil))
        }

        @Test func `a request that its server did not handle is sent again, however often`() {
            for isRepeatable in [false, true] {
                var repetition = sent(isRepeatable)
                for number in 0..<10 {
                    repetition.stream = 2 * number + 1
                    #expect(repetition.isUnhandled(lastStream: 2 * number - 1))
                    #expect(repetition.isAllowed(lastStream: 2 * number - 1))
                    repetition.send(lastStream: 2 * number - 1)
                }
                repetition.isRefused = true
                #expect(repetition.isAllowed(lastStream: nil))
                repetition.send(lastStream: nil)
                // It was not repeated until now.
                #expect(repetition.isAllowed(lastStream: nil) == isRepeatable)
            }
        }

        @Test func `a stream up to the last one may have been handled`() {
            #expect(!sent(false, stream: 7).isUnhandled(lastStream: 7))
            #expect(!sent(false, stream: 7).isUnhandled(lastStream: .max))
            #expect(sent(false, stream: 9).isUnhandled(lastStream: 7))
            // The connection took no more streams.
            #expect(sent(false).isUnhandled(lastStream: 7))
            #expect(!Repetition(isRepeatable: false).isUnhandled(lastStream: 7))
        }

        @Test(arguments: [
            ("Using Stream ID: 41 (easy handle 0x55)", HTTP2Notice.stream(41)),
            ("[HTTP/2] [3] OPENED stream for https://127.0.0.1/", .stream(3)),
            ("recveived GOAWAY, error=0, last_stream=39", .goAway(lastStream: 39)),
            ("received GOAWAY, error=2, last_stream=0", .goAway(lastStream: 0)),
            ("REFUSED_STREAM, retrying a fresh connect", .refused),
            ("HTTP/2 stream 5 refused by server, try again on a new connection", .refused),
        ])
        func `libcurl says`(_ text: String, _ notice: HTTP2Notice) {
            #expect(HTTP2Notice(text[...]) == notice)
        }

        @Test(arguments: [
            "[HTTP/2] [3] [x-tea: received GOAWAY, error=0, last_stream=0]", "Connection #0 to host tea left intact",
            "",
            "Using Stream ID: ", "HTTP/2 stream 5 was not closed cleanly: REFUSED_STREAM (err 7)", "received GOAWAY",
            "  subject: CN=received GOAWAY, error=0, last_stream=0",
        ])
        func `libcurl says something else`(_ text: String) {
            #expect(HTTP2Notice(text[...]) == nil)
        }
    }
#endif
