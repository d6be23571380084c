/// A sentence with placeholders for its details, from a strings file.
/// The placeholders are `%@`, `%d`, `%i`, `%u`, `%ld` and `%lld`, which take the arguments in turn, the same with a position
/// (`%2$@` takes the second one), and `%%`, which is a percent sign. Every argument is text, so any placeholder can show it.
/// `String(format:)` would read invalid memory if a template and its arguments did not match. Here a placeholder without an argument and
/// any other use of `%` remain as text, surplus arguments are dropped, and arguments are not searched for placeholders.
enum MessageTemplate {
    static func filled(_ template: String, with arguments: [String]) -> String {
        var used = 0
        let placeholder = /%(?:%|(?:([0-9]++)\$)?(?:@|i|u|l{0,2}d))/
        return template.replacing(placeholder.matchingSemantics(.unicodeScalar)) { match in
            if match.output.0 == "%%" { return "%" }
            // A number that is 0, or too large for an Int, has no argument.
            let position = match.output.1.map { (Int(String($0)) ?? 0) - 1 }
            guard arguments.indices.contains(position ?? used) else { return String(match.output.0) }
            if position == nil { used += 1 }
            return arguments[position ?? used - 1]
        }
    }
}
