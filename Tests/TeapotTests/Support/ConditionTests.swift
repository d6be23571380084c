#if os(Linux)
    import Foundation
    import LoopbackServer
    import TestSupport
    import TestTraits
    import Testing

    @testable internal import Teapot

    @Suite(.inTurn)
    struct ConditionTests {
        /// What keeps a thread waiting, until the other function is called.
        private static let waits:
            [(String, @Sendable () throws -> (wait: @Sendable () -> Void, end: @Sendable () -> Void))] = [
                (
                    "a condition",
                    {
                        let (condition, isOver) = (Condition(), Locked(false))
                        let wait = { @Sendable in
                            _ = condition.wait(until: .now() + 86_400) { isOver.withLock { $0 } ? true : nil }
                        }
                        return (
                            wait,
                            {
                                condition.withLock {
                                    isOver.withLock { $0 = true }
                                    condition.broadcast()
                                }
                            }
                        )
                    }
                ),
                (
                    "a full queue of a delegate",
                    {
                        let serial = DispatchQueue(label: "serial")
                        serial.suspend()
                        let queue = DelegateQueue(queue: serial, patience: 86_400)
                        return ({ for _ in 0...DelegateQueue.capacity { queue.addOperation {} } }, { serial.resume() })
                    }
                ),
                (
                    "a file that is read slowly",
                    {
                        let mayEnd = DispatchSemaphore(value: 0)
                        let reader = ReadAhead(URL(fileURLWithPath: "/tea"), size: 1) { _ in
                            mayEnd.wait()
                            return [7]
                        }
                        reader.begin()
                        return ({ _ = try? reader.next() }, { mayEnd.signal() })
                    }
                ),
                (
                    "a blocking call",
                    {
                        let server = try LoopbackServer(scripts: [Script([.readRequest, .waitForRelease, .close])])
                        let teapot = Teapot(baseURL: server.baseURL)
                        return ({ _ = try? teapot.sendAndWait(Teapot.Request(path: "get")) }, { server.release() })
                    }
                ),
            ]

        /// Waiting by the system's clock would last an hour longer if somebody sets it back by an hour.
        @Test(arguments: brief(waits.indices) { waits[$0].0 })
        func `does not wait by the system's clock in`(_ index: Brief<Int>) async throws {
            let (wait, end) = try Self.waits[index.value].1()
            let (thread, isOver) = (Locked<String?>(nil), Signal())
            Thread.detachNewThread {
                thread.withLock { $0 = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self") }
                wait()
                isOver.fire()
            }
            var operation: Int?
            await eventually {
                guard let thread = thread.withLock({ $0 }) else { return false }
                // The number of the call, and its arguments, of which the second is the operation of a futex(2).
                let call = (try? String(contentsOfFile: "/proc/\(thread)/syscall", encoding: .utf8)) ?? ""
                let words = call.split(separator: " ")
                operation = words.count > 2 ? Int(words[2].dropFirst(2), radix: 16) : nil
                // FUTEX_WAIT_BITSET
                return operation.map { $0 & 0x7f } == 9
            }
            // FUTEX_CLOCK_REALTIME
            #expect(try #require(operation) & 0x100 == 0)
            end()
            await isOver.wait()
        }

        @Test func `does not wait beyond the time`() {
            let condition = Condition()
            let end = DispatchTime.now() + 0.01
            #expect(condition.wait(until: end) { nil as Bool? } == nil)
            #expect(DispatchTime.now() >= end)
            #expect(condition.wait(until: .now()) { true } == true)
        }
    }
#endif
