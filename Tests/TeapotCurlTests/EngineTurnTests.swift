#if os(Linux)
    @testable import TeapotCurl
    import TestTraits
    import Testing

    struct EngineTurnTests {
        enum Event {
            case begin
            /// At a time in microseconds.
            case end(Int)
            case free
            case report
            case turn
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let events: [Event]
            let load: EngineTurn.Load
            /// In microseconds.
            let time: Int
            let next: EngineTurn.Next

            init(
                _ description: String,
                _ events: [Event] = [],
                load: EngineTurn.Load = EngineTurn.Load(),
                time: Int = 0,
                then next: EngineTurn.Next
            ) {
                testDescription = description
                self.events = events
                self.load = load
                self.time = time
                self.next = next
            }
        }

        private static let busy = EngineTurn.Load(transfers: 2)
        private static let crowded = EngineTurn.Load(transfers: 7, isCrowded: true)
        private static let decoding = EngineTurn.Load(transfers: 2, continues: true)

        private static let rows = [
            Row("nothing at all", then: .init(wait: 3_600_000)),
            Row("memory", load: .init(keepsMemory: true), then: .init(wait: 1_000)),
            Row("connections", load: .init(keepsConnections: true), then: .init(wait: 2_000)),
            Row("both", load: .init(keepsConnections: true, keepsMemory: true), then: .init(wait: 2_000)),
            Row("transfers", load: busy, then: .init(wait: 1_002)),
            Row(
                "many transfers, and connections",
                load: .init(transfers: 5_000, keepsConnections: true),
                then: .init(wait: 6_000)
            ),
            // A single call, or one after the other.
            Row("an end", [.end(0), .free], load: busy, then: .init(reports: true, wait: 1_002)),
            Row("the last end", [.end(0), .free], then: .init(reports: true, wait: 3_600_000)),
            // Its place is taken at once: the end waits for others.
            Row("an end, and the next", [.end(0), .free, .begin], load: busy, then: .init()),
            // libcurl has not looked at the next one yet.
            Row("an end, and the next, on a slow thread", [.end(0), .begin], load: busy, time: 5_000, then: .init()),
            Row(
                "a turn without another end",
                [.end(0), .begin, .turn, .begin],
                load: busy,
                then: .init(reports: true)
            ),
            Row(
                "a turn with another end",
                [.end(0), .begin, .turn, .end(500), .begin],
                load: busy,
                time: 900,
                then: .init()
            ),
            Row(
                "as long as it waits",
                [.end(0), .begin, .turn, .end(900), .begin],
                load: busy,
                time: 1_001,
                then: .init(reports: true)
            ),
            Row(
                "counted from the first that is not reported",
                [.end(0), .report, .turn, .end(900), .begin],
                load: busy,
                time: 1_001,
                then: .init()
            ),
            Row("reported", [.end(0), .report], load: busy, then: .init(wait: 1_002)),
            // Nobody waits for the decoding of another.
            Row("a body", load: decoding, then: .init()),
            Row("an end, and a body", [.end(0), .free], load: decoding, then: .init(reports: true)),
            Row("an end, a body, and the next", [.end(0), .begin], load: decoding, then: .init(reports: true)),
            // Another may have got the connection.
            Row("free among many", [.free], load: crowded, then: .init()),
            Row("many", load: crowded, then: .init(wait: 1_007)),
            Row("free among few", [.free], load: busy, then: .init(wait: 1_002)),
            Row("free a turn ago", [.free, .turn], load: crowded, then: .init(wait: 1_007)),
            Row("begun", [.begin], load: busy, then: .init()),
            Row("begun a turn ago", [.begin, .turn], load: busy, then: .init(wait: 1_002)),
        ]

        @Test(arguments: rows)
        func `what is next`(_ row: Row) {
            var turn = EngineTurn()
            turn.begin()
            for event in row.events {
                switch event {
                case .begin: turn.didBegin()
                case .end(let time): turn.didEnd(at: .microseconds(time))
                case .free: turn.didFree()
                case .report: turn.didReport()
                case .turn: turn.begin()
                }
            }
            #expect(turn.next(row.load, at: .microseconds(row.time)) == row.next)
        }
    }
#endif
