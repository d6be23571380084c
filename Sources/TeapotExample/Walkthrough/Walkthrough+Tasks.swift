import Teapot

extension Walkthrough {
    /// To tell that no answer is delivered, each step waits for the answer to another call, which was sent later and takes at
    /// least as long.
    func showTasks() {
        checklist.step("suspend a call") {
            let suspended = Mailbox<Result<Int, TeapotError>>()
            // On the delivery queue, so that no answer can slip through before the task is suspended.
            let task = deliveryQueue.sync {
                let task = client.teapot.get("get") { suspended.put($0.status) }
                task?.suspend()
                return task
            }
            try wait(forAnswerTo: "delay/0.3")
            try expect(0, found: suspended.contents.count)

            task?.resume()
            let status = try answer(in: suspended)
            try expect(200, found: status)
            return "nothing while suspended, \(status) once resumed"
        }

        checklist.step("cancel a call") {
            let cancelled = Mailbox<Result<Int, TeapotError>>()
            let task = client.teapot.get("delay/1") { cancelled.put($0.status) }
            try wait(forAnswerTo: "get")
            task?.cancel()
            try wait(forAnswerTo: "delay/1")
            try expect(0, found: cancelled.contents.count)
            return "it never completed"
        }
    }

    private func wait(forAnswerTo path: String) throws {
        let status = try answer { completion in
            client.teapot.get(path) { completion($0.status) }
        }
        try expect(200, found: status)
    }
}
