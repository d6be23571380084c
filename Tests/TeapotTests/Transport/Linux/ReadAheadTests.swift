#if canImport(FoundationNetworking)
    import Foundation
    import TestSupport
    import TestTraits
    import Testing

    @testable internal import Teapot

    @Suite(.inTurn)
    struct ReadAheadTests {
        private static let piece = RegularFile.pieceLength
        private let url = URL(fileURLWithPath: "/tea")

        /// All that it gives.
        private func sizes(_ reader: ReadAhead) throws -> [Int] {
            var sizes: [Int] = []
            while case let piece = try reader.next(), !piece.isEmpty { sizes.append(piece.count) }
            return sizes
        }

        @Test(arguments: [
            (0, []), (1, [1]), (piece, [piece]), (piece + 1, [piece, 1]),
            (9 * piece, Array(repeating: piece, count: 9)),
        ])
        func `delivers all pieces in order`(size: Int, expected: [Int]) async throws {
            let asked = Locked<[Range<Int>]>([])
            let reader = ReadAhead(url, size: size) { range in
                asked.withLock { $0.append(range) }
                return Array(repeating: 0, count: range.count)
            }
            reader.begin()
            let given = try await onThread { Result { try sizes(reader) } }.get()
            #expect(given == expected)
            let ranges = asked.withLock { $0 }
            #expect(ranges.map(\.count) == expected)
            #expect(ranges.map(\.lowerBound) == ranges.indices.map { $0 * Self.piece })
        }

        @Test func `keeps a few pieces`() async {
            let asked = Locked(0)
            let isReady = Signal()
            let reader = ReadAhead(url, size: 100 * Self.piece) { range in
                asked.withLock { $0 += 1 }
                return Array(repeating: 0, count: range.count)
            }
            reader.begin { isReady.fire() }
            await isReady.wait()
            #expect(asked.withLock { $0 } == ReadAhead.capacity)
        }

        @Test func `fails after the part that could be read`() async throws {
            let reader = ReadAhead(url, size: 3 * Self.piece) { [url] range throws(TeapotError) in
                guard range.lowerBound == 0 else { throw .fileError(url, "no more of it") }
                return Array(repeating: 0, count: range.count)
            }
            reader.begin()
            let result = await onThread { (try? reader.next().count, Result { try reader.next() }) }
            #expect(result.0 == Self.piece)
            let error = #expect(throws: TeapotError.self) { try result.1.get() }
            #expect(error?.failureReason == "/tea: no more of it")
        }

        @Test func `waits for a disk, but not for long`() async throws {
            let mayEnd = DispatchSemaphore(value: 0)
            let reader = ReadAhead(url, size: 1) { _ in
                mayEnd.wait()
                return [7]
            }
            reader.begin()
            let result = await onThread { Result { try reader.next() } }
            let error = #expect(throws: TeapotError.self) { try result.get() }
            #expect(error?.type == .fileError)
            #expect(error?.failureReason == "/tea: reading it took more than 2 seconds")
            mayEnd.signal()
            let later = await onThread { Result { try reader.next() } }
            #expect(try later.get() == [7])
        }

        @Test func `waits no longer once it is stopped`() async throws {
            let (hasBegun, mayEnd) = (Signal(), DispatchSemaphore(value: 0))
            let reader = ReadAhead(url, size: 1) { _ in
                hasBegun.fire()
                mayEnd.wait()
                return [7]
            }
            reader.begin()
            await hasBegun.wait()
            async let result = onThread { Result { try reader.next() } }
            reader.stop()
            #expect(try await result.get() == [])
            mayEnd.signal()
        }
    }
#endif
