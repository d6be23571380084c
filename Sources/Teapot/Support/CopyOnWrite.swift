/// A wide value behind one reference: a copy costs one retain, and only a change of a copy that is not the only one copies the
/// value.
struct CopyOnWrite<Value: Sendable>: Sendable {
    /// `@unchecked Sendable` is sound: the value changes only while there is one reference to it.
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: consuming Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: consuming Value) { storage = Storage(value) }

    var value: Value {
        // Without a copy of the whole where a part is read.
        _read { yield storage.value }
        set { storage = Storage(newValue) }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
