import TeapotFoundation

extension Exchange {
    /// The work that a transition asks for.
    enum Action {
        /// Tell the caller the number of bytes of the request's body that were sent.
        case tell(Int, @Sendable (Int, Int?) -> Void)
        case begin(ResponseHead, any BodySink)
        /// Find out whether the call follows this redirect.
        case leave(ResponseHead)
        case append(Data, any BodySink)
        /// Set a timer.
        case wake(at: Duration, number: Int)
        /// Have the transport report the next scheduled event.
        case report(@Sendable () -> Void)
        /// Release the resources. The thread that starts the exchange has the result, or the call already has its event.
        case release(Indirect<Resources>?)
        /// Release the resources, and hand over the result to the call; without one, the cancellation.
        case end(ExchangeResult?, Call, Indirect<Resources>?)
    }

    /// The objects that an exchange releases at its end. It does so after the lock: the `deinit` of a foreign object may call it.
    struct Resources: Sendable {
        var timer: ScheduledTimer?
        var schedule: Timeouts.Schedule?
        var task: Indirect<any TransportTask>?
        /// Whether the transport may still be working on the task.
        var cancelsTask = false
        /// The part of the body that arrived before the exchange was cancelled.
        var data: Data?

        func release() {
            timer?.cancel()
            if cancelsTask { task?.value.cancel() }
        }
    }

    enum Phase {
        /// The transport does not have the request.
        case new
        /// The transport has yet to return its task.
        case starting(Call)
        case running(Call, Indirect<any TransportTask>?)
        /// The exchange has ended. The transport has yet to return its task, which is cancelled then unless it has reported the
        /// end. The result is there if the exchange has ended on the thread that starts it: the thread takes it then.
        /// Otherwise the call already has its event.
        case awaitsTask(ExchangeResult?, isReported: Bool)
        case over
    }
}
