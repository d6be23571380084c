/// The parameters of a header value, such as `b` in `a; name=b` or `a; name="b"`, read as Werkzeug reads them, and so httpbin.
///
/// Within quotes a backslash escapes any character (RFC 9110, section 5.6.4), and `%22` is a quote, as browsers write it
/// (HTML Standard, multipart form data). Nothing else is percent-decoded. Anything that is not a parameter is ignored.
struct HeaderParameters {
    private let pairs: [(name: String, value: String)]

    /// - Parameter header: The whole value of the header field.
    init(_ header: String) {
        let parameter = /;[ \t]*([\w!#$%&'*+.^`|~\-]+)=(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~\-]+))/
        pairs = header.matches(of: parameter.asciiOnlyWordCharacters().matchingSemantics(.unicodeScalar)).map { match in
            let (_, name, quoted, token) = match.output
            let value = quoted.map { String($0).replacing(/\\(.)/) { $0.output.1 } } ?? String(token ?? "")
            return (String(name), value.replacing("%22", with: "\""))
        }
    }

    /// The value of a parameter; the name's case does not matter. The last one counts.
    func value(_ name: String) -> String? {
        pairs.last { $0.name.isEqualIgnoringCase(to: name) }?.value
    }
}
