#if os(Linux)
    import Teapot

    extension CurlEngine {
        private static let threadName = "Teapot.CurlTransport"

        /// Starts a thread that runs and retains the engine.
        func startThread() {
            let thread = Thread {
                Thread.current.threadDictionary[Self.threadName] = true
                self.run()
            }
            thread.name = Self.threadName
            thread.start()
        }

        /// Whether the current thread delivers events of such a transport.
        static var isCurrent: Bool { Thread.current.threadDictionary[threadName] != nil }
    }
#endif
