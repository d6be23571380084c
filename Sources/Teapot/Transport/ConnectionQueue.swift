/// The activity on the connections to an origin, for the exchanges in line, which look at it from any thread.
package final class LineMovement: Sendable {
    private let state = Locked((moves: 0, heldBodies: 0))

    package init() {}

    /// An exchange has sent or received something, or has got or left a connection.
    package func move() { state.withLock { $0.moves &+= 1 } }

    /// A response is held back, as its reader takes its time, or goes on.
    package func hold(_ isHeld: Bool) { state.withLock { $0.heldBodies += isHeld ? 1 : -1 } }

    var moves: Int { state.withLock { $0.moves } }
    var heldBodies: Int { state.withLock { $0.heldBodies } }
}

/// The exchanges with one origin. No more are under way than there are connections, or streams of a connection. The others wait in
/// line, where they need less memory and their timeout has not begun. Used on one queue, or under the lock of its owner.
package struct ConnectionQueue<Element: AnyObject> {
    /// The number of exchanges under way.
    package private(set) var count = 0
    /// The exchanges in line, whose places are the indices; `nil` if one has left. Their type is `AnyObject`: with `Element`, each call
    /// from another module would look up the type of the slice at run time.
    private var waiting: ArraySlice<AnyObject?> = []

    package init() {}

    package var isEmpty: Bool { count == 0 && waiting.isEmpty }

    /// Lets an exchange pass, which is under way from now on, if there is a connection for it and nobody waits.
    package mutating func enter(limit: Int) -> Bool {
        guard count < limit, waiting.isEmpty else { return false }
        count += 1
        return true
    }

    package mutating func append(_ exchange: Element) -> Int {
        waiting.append(exchange)
        return waiting.endIndex - 1
    }

    /// Removes an exchange, if it still waits.
    package mutating func remove(_ exchange: Element, at place: Int) {
        if waiting.indices.contains(place), waiting[place] === exchange { waiting[place] = nil }
    }

    /// Takes the first exchange in line, which is under way from now on, if fewer than `limit` are.
    package mutating func next(limit: Int) -> Element? {
        while count < limit, let first = waiting.first {
            // The slice keeps its first elements in memory.
            waiting[waiting.startIndex] = nil
            waiting.removeFirst()
            guard let next = first as? Element else { continue }
            count += 1
            return next
        }
        return nil
    }

    /// An exchange that was under way is over.
    package mutating func end() { count -= 1 }
}
