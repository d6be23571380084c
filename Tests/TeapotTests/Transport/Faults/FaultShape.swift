/// The ways in which a call can be made.
enum FaultShape: CaseIterable, Sendable {
    case closure, async, download, image
}
