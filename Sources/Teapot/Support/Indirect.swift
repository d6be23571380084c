/// A value behind one reference, like the payload of an `indirect` case: a copy costs one retain, and reading a part of it no copy of the
/// rest. With a protocol as its type, the value that contains it stays one that the compiler can move.
package final class Indirect<Value: Sendable>: Sendable {
    // As a constant, which cannot be changed in place, it is read without a check whether somebody changes it.
    package let value: Value

    package init(_ value: consuming Value) { self.value = value }

    package func with<Failure: Error>(_ change: (inout Value) throws(Failure) -> Void) throws(Failure) -> Indirect {
        var value = value
        try change(&value)
        return Indirect(value)
    }
}
