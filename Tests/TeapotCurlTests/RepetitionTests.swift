#if os(Linux)
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct RepetitionTests {
        private func sent(_ isRepeatable: Bool, stream: Int? = nil) -> Repetition {
            var repetition = Repetition(isRepeatable: isRepeatable)
            repetition.send(after: nil, on: nil)
            repetition.stream = stream
            return repetition
        }

        private func connection(lastStream: Int?, namesStreams: Bool = true) -> CurlConnection {
            let connection = CurlConnection(descriptor: -1, opener: 1)
            connection.lastStream = lastStream
            connection.namesStreams = namesStreams
            return connection
        }

        @Test func `a request is sent once, or once more if it is repeatable`() {
            #expect(Repetition(isRepeatable: false).isAllowed(after: nil))
            #expect(!sent(false).isAllowed(after: nil))
            var repetition = sent(true)
            #expect(repetition.isAllowed(after: nil))
            repetition.send(after: nil, on: nil)
            #expect(!repetition.isAllowed(after: nil))
        }

        @Test func `a request that its server did not handle is sent again, however often`() {
            for isRepeatable in [false, true] {
                var repetition = sent(isRepeatable)
                for number in 0..<10 {
                    repetition.stream = 2 * number + 1
                    let connection = connection(lastStream: 2 * number - 1)
                    #expect(repetition.isUnhandled(on: connection))
                    #expect(repetition.isAllowed(after: connection))
                    repetition.send(after: connection, on: nil)
                }
                repetition.isRefused = true
                #expect(repetition.isAllowed(after: nil))
                repetition.send(after: nil, on: nil)
                // It was not repeated until now.
                #expect(repetition.isAllowed(after: nil) == isRepeatable)
            }
        }

        @Test func `a stream up to the last one may have been handled`() {
            #expect(!sent(false, stream: 7).isUnhandled(on: connection(lastStream: 7)))
            #expect(!sent(false, stream: 7).isUnhandled(on: connection(lastStream: .max)))
            #expect(!sent(false, stream: 7).isUnhandled(on: connection(lastStream: nil)))
            #expect(sent(false, stream: 9).isUnhandled(on: connection(lastStream: 7)))
            // The connection took no more streams, if libcurl names them.
            #expect(sent(false).isUnhandled(on: connection(lastStream: 7)))
            #expect(!sent(false).isUnhandled(on: connection(lastStream: 7, namesStreams: false)))
            #expect(!Repetition(isRepeatable: false).isUnhandled(on: connection(lastStream: 7)))
        }

        @Test func `what libcurl says after a request has left its connection does not count`() {
            var repetition = sent(false, stream: 41)
            repetition.leave(connection(lastStream: nil))
            #expect(!repetition.isAllowed(after: connection(lastStream: 5)))
            repetition = sent(false, stream: 41)
            repetition.leave(connection(lastStream: 5))
            #expect(repetition.isAllowed(after: nil))
        }

        @Test(
            arguments: [
                ("Using Stream ID: 41 (easy handle 0x55)", HTTP2Notice.stream(41)),
                ("[HTTP/2] [3] OPENED stream for https://127.0.0.1/", .stream(3)),
                ("Using Stream ID: 41", .stream(41)),
                ("Downgrades to HTTP/1.1", .downgrade),
                ("Connection died, retrying a fresh connect (retry count: 1)", .retry),
                ("recveived GOAWAY, error=0, last_stream=39", .goAway(lastStream: 39)),
                ("received GOAWAY, error=2, last_stream=0", .goAway(lastStream: 0)),
                ("received GOAWAY, error=2, last_stream=39\n", .goAway(lastStream: 39)),
                ("[HTTP/2] [3] OPENED\n", .stream(3)), ("Using Stream ID: 41\n", .stream(41)),
                ("REFUSED_STREAM, retrying a fresh connect", .refused),
                ("HTTP/2 stream 5 refused by server, try again on a new connection", .refused),
            ] as [(String, HTTP2Notice)]
        )
        func `libcurl says`(_ text: String, _ notice: HTTP2Notice) {
            #expect(HTTP2Notice(text) == notice)
        }

        @Test(
            arguments: [
                "[HTTP/2] [3] [x-tea: received GOAWAY, error=0, last_stream=0]",
                "Connection #0 to host tea left intact",
                "",
                "Using Stream ID: ", "Using Stream ID: 1f (easy handle 0x55)",
                "HTTP/2 stream 5 was not closed cleanly: REFUSED_STREAM (err 7)", "received GOAWAY",
                "HTTP/2 stream x refused by server", "[HTTP/2] [3] [OPENED: x]",
                "  subject: CN=received GOAWAY, error=0, last_stream=0",
            ] as [String]
        )
        func `libcurl says something else`(_ text: String) {
            #expect(HTTP2Notice(text) == nil)
        }
    }
#endif
