/// A wide value behind one reference: a copy costs one retain, reading a part of it no copy of the rest, and a change a copy of the
/// whole.
struct CopyOnWrite<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        // As a constant, it is read without a check whether somebody changes it.
        let value: Value

        init(_ value: consuming Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: consuming Value) { storage = Storage(value) }

    var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}
