import Foundation

/// Options with values: `--name value`, each at most once.
struct Options {
    private var values: [String: String] = [:]

    /// Reads arguments; `nil` if they are not options.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), let value = rest.popFirst() else { return nil }
            guard values.updateValue(value, forKey: String(name.dropFirst(2))) == nil else { return nil }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// An http or https URL with a host.
    func url(_ name: String) -> URL? {
        guard let url = values[name].flatMap({ URL(string: $0) }), url.host() != nil else { return nil }
        return url.scheme == "http" || url.scheme == "https" ? url : nil
    }

    /// Whether all options have one of these names.
    func isOnly(_ names: Set<String>) -> Bool {
        names.isSuperset(of: values.keys)
    }
}
