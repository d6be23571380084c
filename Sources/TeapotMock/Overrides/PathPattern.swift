import Teapot

/// The last components of a path, some of which can match any text: `users/:id`. A slash at the end must be in the URL, too.
struct PathPattern: Sendable {
    private enum Component: Equatable {
        case literal(String)
        case parameter(String)
    }

    /// The pattern as declared.
    let text: String
    private let components: [Component]
    private let endsInSlash: Bool

    init(_ text: some StringProtocol) {
        self.text = String(text)
        let path = RequestPath.normalized(self.text)
        components = Self.components(of: path).map { component in
            component.hasPrefix(":") && component.count > 1
                ? .parameter(String(component.dropFirst())) : .literal(component)
        }
        endsInSlash = !components.isEmpty && path.utf8.last == UInt8(ascii: "/")
    }

    var isEmpty: Bool { components.isEmpty }

    /// The specificity: the number of fixed components, then of all components, then whether a slash follows.
    var specificity: [Int] {
        [components.count { !isParameter($0) }, components.count, endsInSlash ? 1 : 0]
    }

    /// The values of the parameters; `nil` if the path does not match. An empty pattern only matches a URL without a path.
    func match(_ request: RecordedRequest) -> [String: String]? {
        let path = request.pathComponents
        guard !components.isEmpty || path.isEmpty, path.count >= components.count else { return nil }
        guard !endsInSlash || request.url.path().utf8.last == UInt8(ascii: "/") else {
            return nil
        }
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

    /// Whether some path matches both patterns, which have the same number of components.
    func overlaps(_ other: PathPattern) -> Bool {
        components.count == other.components.count
            && zip(components, other.components).allSatisfy { $0 == $1 || isParameter($0) || isParameter($1) }
    }

    static func components(of path: some StringProtocol) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { bytes in
            let component = String(decoding: bytes, as: UTF8.self)
            return bytes.contains(UInt8(ascii: "%")) ? component.removingPercentEncoding ?? component : component
        }
    }

    private func isParameter(_ component: Component) -> Bool {
        if case .parameter = component { true } else { false }
    }
}
