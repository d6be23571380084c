import Teapot

extension Teapot.QueryItems {
    /// The decoded items of a URL's query, as servers and browsers read them: as a form, in which a plus sign is a space
    /// (https://url.spec.whatwg.org/#urlencoded-parsing).
    ///
    /// For `URLComponents`, which follows RFC 3986, a plus sign is a plus sign. A query that Teapot encodes is the same for both.
    init(ofURL url: String) {
        self.init(ofForm: url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst())
    }

    /// The decoded fields of a form.
    init(ofForm form: Substring) {
        self.init(
            form.split(separator: "&").map { item in
                let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
                return URLQueryItem(name: pair[0], value: pair.count == 2 ? pair[1] : nil)
            }
        )
    }

    /// The values of each name, in their order; an item without a value has an empty one.
    var valuesByName: [String: [String]] {
        Dictionary(grouping: items, by: \.name).mapValues { $0.map { $0.value ?? "" } }
    }

    private static func decoded(_ text: Substring) -> String {
        let text = String(text).replacing("+", with: " ")
        return text.removingPercentEncoding ?? text
    }
}
