/// Lets others run until something has happened that nothing signals, or until the task is cancelled, as that of a test is when
/// its time is over.
package func eventually(isolation: isolated (any Actor)? = #isolation, _ hasHappened: () -> Bool) async {
    while !hasHappened(), !Task.isCancelled { await Task.yield() }
}
