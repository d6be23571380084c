#if os(Linux)
    import Teapot

    extension CurlEngine {
        /// Starts a thread that runs and retains the engine.
        func startThread() {
            let thread = Thread { self.run() }
            thread.name = "Teapot.CurlTransport"
            thread.start()
        }
    }
#endif
