import TeapotFoundation

/// The connections to an origin, as the exchanges in line for them see them from any thread.
package final class LineMovement: Sendable {
    private struct State {
        var moves = 0
        var heldBodies = 0
    }

    private let state = Locked(State())

    package init() {}

    /// An exchange has sent or received something, has got a connection, or has left one.
    package func move() { state.withLock { $0.moves &+= 1 } }

    /// A response is held back, or goes on, as its reader takes its time.
    package func hold(_ isHeld: Bool) { state.withLock { $0.heldBodies += isHeld ? 1 : -1 } }

    var moves: Int { state.withLock { $0.moves } }
    var heldBodies: Int { state.withLock { $0.heldBodies } }
}

/// The exchanges with one origin: no more are under way than there are connections, or streams of one. The others wait in line,
/// where they need less memory and their timeout has not begun.
///
/// Not thread-safe: it is used on one queue, or under the lock of its owner.
package struct ConnectionQueue<Element: AnyObject> {
    /// The number of exchanges under way.
    package private(set) var count = 0
    /// The exchanges in line, by place. Their type is `AnyObject`: with `Element`, each call from another module would look up the
    /// dictionary's type at run time.
    private var waiting = [Int: AnyObject]()
    private var firstPlace = 0
    private var endPlace = 0

    package init() {}

    package var isEmpty: Bool { count == 0 && waiting.isEmpty }

    /// Lets an exchange pass if there is a connection for it and nobody waits; it is under way from now on.
    package mutating func enter(limit: Int) -> Bool {
        guard count < limit, firstPlace == endPlace else { return false }
        count += 1
        return true
    }

    /// Adds an exchange to the end of the line.
    package mutating func append(_ exchange: Element) -> Int {
        defer { endPlace += 1 }
        waiting[endPlace] = exchange
        return endPlace
    }

    /// Removes an exchange, if it still waits.
    package mutating func remove(_ exchange: Element, at place: Int) {
        if waiting[place] === exchange { waiting[place] = nil }
    }

    /// Takes the first exchange in line, which is under way from now on, if fewer than `limit` are.
    package mutating func next(limit: Int) -> Element? {
        while count < limit, firstPlace < endPlace {
            defer { firstPlace += 1 }
            guard let next = waiting.removeValue(forKey: firstPlace) as? Element else { continue }
            count += 1
            return next
        }
        return nil
    }

    /// An exchange that was under way is over.
    package mutating func end() { count -= 1 }
}
