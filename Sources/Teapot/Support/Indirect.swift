/// A value behind one reference, like the payload of an `indirect` case: a copy costs one retain, reading a part of it no copy of the
/// rest, and a change a copy of the whole. With a protocol as its type, the value that contains it stays one that the compiler can move.
package struct Indirect<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        // As a constant, it is read without a check whether somebody changes it.
        let value: Value

        init(_ value: consuming Value) { self.value = value }
    }

    private var storage: Storage

    package init(_ value: consuming Value) { storage = Storage(value) }

    package var value: Value {
        _read { yield storage.value }
        set { storage = Storage(newValue) }
    }
}
