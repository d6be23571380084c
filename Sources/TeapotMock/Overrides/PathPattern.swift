internal import Teapot

/// The trailing components of a path, some of which may stand for any text: `users/:id`.
struct PathPattern: Sendable, Hashable {
    private enum Component: Hashable {
        case literal(String)
        case parameter(String)
    }

    /// As it was declared.
    let text: String
    private let components: [Component]

    init(_ text: some StringProtocol) {
        self.text = String(text)
        components = Self.components(of: text).map { component in
            component.hasPrefix(":") && component.count > 1
                ? .parameter(String(component.dropFirst())) : .literal(component)
        }
    }

    var isEmpty: Bool { components.isEmpty }

    /// What goes first: more components that are given, then more of them altogether.
    var specificity: [Int] {
        [components.count { !isParameter($0) }, components.count]
    }

    /// The values of the parameters; `nil` when the path is another. Without components, only a URL without a path matches.
    func match(_ path: [String]) -> [String: String]? {
        guard !components.isEmpty || path.isEmpty, path.count >= components.count else { return nil }
        var parameters: [String: String] = [:]
        for (component, received) in zip(components, path.suffix(components.count)) {
            switch component {
            case .literal(received): break
            case .literal: return nil
            case .parameter(let name): parameters[name] = received
            }
        }
        return parameters
    }

    /// Whether some path is matched by both, of two patterns with as many components.
    func overlaps(_ other: PathPattern) -> Bool {
        components.count == other.components.count
            && zip(components, other.components).allSatisfy { $0 == $1 || isParameter($0) || isParameter($1) }
    }

    static func components(of path: some StringProtocol) -> [String] {
        path.split(separator: "/").map { component in
            component.utf8.contains(UInt8(ascii: "%"))
                ? component.removingPercentEncoding ?? String(component) : String(component)
        }
    }

    private func isParameter(_ component: Component) -> Bool {
        if case .parameter = component { true } else { false }
    }
}
