import Teapot

// What the page "Tracing" uses of the modules ServiceContextModule, Instrumentation and Tracing, with their signatures but for the
// arguments that have the place in the code and the time.

// MARK: - ServiceContextModule

struct ServiceContext: Sendable {
    @TaskLocal static var current: ServiceContext?

    static var topLevel: ServiceContext { ServiceContext() }

    /// The value of the tracer below. The module's own type has a value for each key.
    var trace: RecordedSpan.IDs?
}

// MARK: - Instrumentation

protocol Injector: Sendable {
    associatedtype Carrier: Sendable

    func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
}

protocol Instrument: Sendable {
    func inject<Carrier, Inject>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject: Injector, Inject.Carrier == Carrier
}

enum InstrumentationSystem {
    static let tracer = RecordingTracer()
    static var instrument: any Instrument { tracer }
}

// MARK: - Tracing

enum SpanKind: Sendable { case server, client, producer, consumer, `internal` }

struct SpanStatus: Sendable, Equatable {
    enum Code: Sendable { case ok, error }

    let code: Code
    let message: String?

    init(code: Code, message: String? = nil) { (self.code, self.message) = (code, message) }
}

enum SpanAttribute: Sendable, Equatable {
    case int64(Int64)
    case string(String)
}

protocol SpanAttributeConvertible {
    func toSpanAttribute() -> SpanAttribute
}

extension Int: SpanAttributeConvertible {
    func toSpanAttribute() -> SpanAttribute { .int64(Int64(self)) }
}

extension String: SpanAttributeConvertible {
    func toSpanAttribute() -> SpanAttribute { .string(self) }
}

extension SpanAttribute: SpanAttributeConvertible {
    func toSpanAttribute() -> SpanAttribute { self }
}

struct SpanAttributes: Sendable, Equatable {
    private var attributes: [String: SpanAttribute] = [:]

    subscript(name: String) -> (any SpanAttributeConvertible)? {
        get { attributes[name] }
        set { attributes[name] = newValue?.toSpanAttribute() }
    }

    func get(_ name: String) -> SpanAttribute? { attributes[name] }
}

protocol Span: Sendable {
    var context: ServiceContext { get }
    var operationName: String { get nonmutating set }
    var attributes: SpanAttributes { get nonmutating set }

    func setStatus(_ status: SpanStatus)
    func recordError(_ error: any Error)
    func end()
}

func startSpan(
    _ operationName: String,
    context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
    ofKind kind: SpanKind = .internal
) -> any Span { InstrumentationSystem.tracer.startSpan(operationName, in: context(), of: kind) }

func withSpan<T>(
    _ operationName: String,
    context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
    ofKind kind: SpanKind = .internal,
    isolation: isolated (any Actor)? = #isolation,
    _ operation: (any Span) async throws -> T
) async rethrows -> T {
    let span = startSpan(operationName, context: context(), ofKind: kind)
    defer { span.end() }
    do {
        return try await ServiceContext.$current.withValue(span.context) { try await operation(span) }
    } catch {
        span.recordError(error)
        span.setStatus(SpanStatus(code: .error))
        throw error
    }
}

// MARK: - A tracer

/// A tracer that keeps its spans, and propagates them by W3C Trace Context.
final class RecordingTracer: Instrument {
    private let recorded = Locked<[RecordedSpan]>([])

    /// The spans of a trace, in the order in which they began.
    func spans(of trace: String) -> [RecordedSpan] { recorded.withLock { $0.filter { $0.ids.trace == trace } } }

    fileprivate func startSpan(_ name: String, in context: ServiceContext, of kind: SpanKind) -> RecordedSpan {
        let span = RecordedSpan(name, in: context, of: kind)
        recorded.withLock { $0.append(span) }
        return span
    }

    func inject<Carrier, Inject>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject: Injector, Inject.Carrier == Carrier {
        guard let ids = context.trace else { return }
        injector.inject("00-\(ids.trace)-\(ids.span)-01", forKey: "traceparent", into: &carrier)
    }
}

final class RecordedSpan: Span {
    /// Hexadecimal, as in `traceparent`.
    struct IDs: Sendable {
        let trace: String
        let span: String
        let parent: String?
    }

    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var status: SpanStatus?
        var errors: [any Error] = []
        var ends = 0
    }

    let context: ServiceContext
    let ids: IDs
    let kind: SpanKind
    private let state: Locked<State>

    init(_ name: String, in context: ServiceContext, of kind: SpanKind) {
        let random = UUID().uuidString.replacing("-", with: "").lowercased()
        ids = IDs(
            trace: context.trace?.trace ?? random,
            span: String(UUID().uuidString.replacing("-", with: "").lowercased().suffix(16)),
            parent: context.trace?.span
        )
        var own = context
        own.trace = ids
        self.context = own
        self.kind = kind
        state = Locked(State(name: name))
    }

    var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }
    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }
    var status: SpanStatus? { state.withLock { $0.status } }
    var errors: [any Error] { state.withLock { $0.errors } }
    /// How often it was ended: once, if all is well.
    var ends: Int { state.withLock { $0.ends } }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
    func recordError(_ error: any Error) { state.withLock { $0.errors.append(error) } }
    func end() { state.withLock { $0.ends += 1 } }
}
