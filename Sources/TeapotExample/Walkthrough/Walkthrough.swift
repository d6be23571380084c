import Teapot

/// Everything the example shows, step by step.
///
/// The main thread waits for each answer, as this is a program that does one thing after another. So answers are delivered
/// on a queue of their own: on the main queue, where an app wants them, they would wait for the main thread.
struct Walkthrough {
    let client: NotesClient
    let deliveryQueue: DispatchQueue
    let checklist = Checklist()

    /// Seconds until a step that hangs is given up.
    private let patience: TimeInterval = 20

    init(baseURL: URL) {
        deliveryQueue = DispatchQueue(label: "TeapotExample.delivery")
        client = NotesClient(baseURL: baseURL, deliveryQueue: deliveryQueue)
    }

    func run() {
        showNotes()
        showErrors()
        showLogin()
        showImage()
        showTasks()
        showLog()
    }

    /// Starts a call and waits for what it delivers.
    func answer<Value: Sendable>(
        to call: (_ completion: @escaping @Sendable (Result<Value, TeapotError>) -> Void) -> Void
    ) throws -> Value {
        try outcome(of: call).get()
    }

    /// Starts a call that should fail, and waits for its error.
    func error<Value: Sendable>(
        of call: (_ completion: @escaping @Sendable (Result<Value, TeapotError>) -> Void) -> Void
    ) throws -> TeapotError {
        switch try outcome(of: call) {
        case .success(let value): throw Mismatch(expected: "an error", found: "\(value)")
        case .failure(let error): return error
        }
    }

    /// Waits for the answer of a call that has been started.
    func answer<Value>(in mailbox: Mailbox<Result<Value, TeapotError>>) throws -> Value {
        try mailbox.first(within: patience).get()
    }

    private func outcome<Value: Sendable>(
        of call: (_ completion: @escaping @Sendable (Result<Value, TeapotError>) -> Void) -> Void
    ) throws -> Result<Value, TeapotError> {
        let mailbox = Mailbox<Result<Value, TeapotError>>()
        call { mailbox.put($0) }
        return try mailbox.first(within: patience)
    }
}
