import Teapot

/// To check that no answer is delivered, a step waits for the answer to a later call, which takes at least as long.
extension Walkthrough {
    func showCancelling() async {
        await checklist.step("cancel a task") {
            let teapot = client.teapot
            let call = Task { try await teapot.get("delay/5") }
            try await teapot.get("get")
            call.cancel()
            guard case .failure(let error) = await call.result else {
                throw Mismatch(expected: "an error", found: "an answer")
            }
            guard let error = error as? TeapotError else { throw error }
            try expect(.cancelled, found: error.type)
            return error.explanation
        }

        await checklist.step("cancel a call (closure)") {
            let deliveries = Locked(0)
            let task = client.teapot.get("delay/1") { _ in deliveries.withLock { $0 += 1 } }
            try await client.teapot.get("get")
            task?.cancel()
            try await client.teapot.get("delay/1")
            try expect(0, found: deliveries.withLock { $0 })
            return "it never completed"
        }
    }

    func showSuspending() async {
        await checklist.step("suspend a call (closure)") {
            let (statuses, continuation) = AsyncStream.makeStream(of: Int.self)
            let deliveries = Locked(0)
            let task = client.teapot.get("get") { result in
                deliveries.withLock { $0 += 1 }
                if case .success(_, let response) = result { continuation.yield(response.status) }
                continuation.finish()
            }
            // Nothing is delivered on the main queue until this function awaits something.
            task?.suspend()
            try await client.teapot.get("delay/0.3")
            try expect(0, found: deliveries.withLock { $0 })

            task?.resume()
            for await status in statuses {
                try expect(200, found: status)
                return "nothing while suspended, \(status) once resumed"
            }
            throw Mismatch(expected: "an answer", found: "an error")
        }
    }
}
