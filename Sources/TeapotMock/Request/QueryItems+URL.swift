import Teapot

extension Teapot.QueryItems {
    /// The decoded items of a URL's query, as servers and browsers read them: as a form, in which a plus sign is a space
    /// (https://url.spec.whatwg.org/#urlencoded-parsing).
    ///
    /// For `URLComponents`, which follows RFC 3986, a plus sign is a plus sign. A query that Teapot encodes is the same for both.
    init(ofURL url: String) { self.init(ofForm: url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()) }

    /// The decoded fields of a form.
    init(ofForm form: Substring) {
        self.init([])
        for item in form.parts(between: "&") {
            let sign = item.firstIndex(of: "=")
            let value = sign.map { Self.decoded(item[$0...].dropFirst()) }
            items.append(URLQueryItem(name: Self.decoded(item[..<(sign ?? item.endIndex)]), value: value))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        let text = String(text).replacing("+", with: " ")
        return text.removingPercentEncoding ?? text
    }
}
