import Teapot

/// The last components of a path, some of which can match any text: `users/:id`. A slash at the end must be in the URL, too.
struct PathPattern: Sendable {
    private enum Component: Equatable {
        case literal(String)
        case parameter(String)
    }

    /// The pattern as declared.
    let text: String
    /// The last component comes first.
    private let components: [Component]
    private let endsInSlash: Bool

    init(_ text: String) {
        self.text = text
        var path = RequestPath.normalized(text)
        components = path.withUTF8 { path in
            var (rest, components) = (path[...], [Component]())
            while let text = Self.takeLast(of: &rest) {
                let isParameter = text.hasPrefix(":") && text.count > 1
                components.append(isParameter ? .parameter(String(text.dropFirst())) : .literal(text))
            }
            return components
        }
        endsInSlash = !components.isEmpty && path.utf8.last == Self.slash
    }

    var isEmpty: Bool { components.isEmpty }

    /// The specificity: the number of fixed components, then of all components, then whether a slash follows.
    var specificity: [Int] {
        var fixedCount = 0
        for component in components where !isParameter(component) { fixedCount += 1 }
        return [fixedCount, components.count, endsInSlash ? 1 : 0]
    }

    /// The values of the parameters; `nil` if the path of a URL does not match. An empty pattern only matches a URL without one.
    func match(_ path: String) -> [String: String]? {
        guard !endsInSlash || path.utf8.last == Self.slash else { return nil }
        var path = path
        return path.withUTF8 { match($0[...]) }
    }

    private func match(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> [String: String]? {
        var (rest, parameters) = (path, [String: String]())
        guard !components.isEmpty else { return Self.takeLast(of: &rest) == nil ? parameters : nil }
        for component in components {
            guard let received = Self.takeLast(of: &rest) else { return nil }
            switch component {
            case .literal(received): break
            case .literal: return nil
            // Of two parameters of one name, the last one counts.
            case .parameter(let name): parameters[name] = parameters[name] ?? received
            }
        }
        return parameters
    }

    /// Takes the last component of a path, decoded; `nil` if there is none.
    private static func takeLast(of path: inout Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        while path.last == slash { path.removeLast() }
        guard !path.isEmpty else { return nil }
        let start = path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex
        defer { path = path[..<start] }
        let component = String(decoding: path[start...], as: UTF8.self)
        return component.utf8.contains(UInt8(ascii: "%")) ? component.removingPercentEncoding ?? component : component
    }

    /// Whether some path matches both patterns, which have the same number of components.
    func overlaps(_ other: PathPattern) -> Bool {
        components.count == other.components.count
            && zip(components, other.components).allSatisfy { $0 == $1 || isParameter($0) || isParameter($1) }
    }

    private static let slash = UInt8(ascii: "/")

    private func isParameter(_ component: Component) -> Bool { if case .parameter = component { true } else { false } }
}
