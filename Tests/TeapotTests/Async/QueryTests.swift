import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Query items on their way to a server that reads them as a form.
@Suite(.inTurn)
struct QueryTests {
    struct Echo: Decodable {
        /// A name that is repeated has several values.
        enum Argument: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
            case one(String)
            case several([String])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self = .one(text)
                } else {
                    self = .several(try container.decode([String].self))
                }
            }

            init(stringLiteral value: String) { self = .one(value) }
            init(arrayLiteral values: String...) { self = .several(values) }
        }
        let args: [String: Argument]
    }

    /// Every mark of ASCII that is neither a letter nor a digit, the space included.
    static let marks: [String] = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }
        .filter { $0.first?.isLetter == false && $0.first?.isNumber == false }

    static let texts =
        marks + marks.map { "a\($0)b" } + [
            marks.joined(), "", "  ", "%41", "%", "%zz", "+1 +", "😀", "👩‍👩‍👧", "ü", "u\u{308}", "日本語", "a\nb\tc", "\0",
            "\u{7F}",
        ]

    private func args(_ query: QueryItems, path: String = "get") async throws -> [String: Echo.Argument] {
        let server = try LoopbackServer()
        return try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).get(path, as: Echo.self, query: query)
            .args
    }

    @Test func `there are 33 special characters`() {
        #expect(Self.marks.count == 33)
    }

    @Test(arguments: brief(texts))
    func `come back as the same text`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let args = try await args(["v": text, "n" + text: "1"])
        // Strings are equal by canonical equivalence; bytes are not.
        let expected: [String: Echo.Argument] = ["v": .one(text), "n" + text: "1"]
        #expect(args == expected)
        guard case .one(let value) = args["v"] else { return }
        #expect(Array(value.utf8) == Array(text.utf8))
    }

    @Test func `all at once`() async throws {
        let items = QueryItems(Self.texts.enumerated().map { URLQueryItem(name: "n\($0.offset)", value: $0.element) })
        let args = try await args(items)
        #expect(args.count == items.count)
        for item in items { #expect(args[item.name] == item.value.map { .one($0) }) }
    }

    @Test func `an empty value, and none`() async throws {
        let server = try LoopbackServer()
        let items: QueryItems = ["empty": "", "none": nil]
        try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).get("get", query: items)
        #expect(server.requests.map(\.query) == ["empty=&none"])
    }

    @Test func `come after the query of base URL and path`() async throws {
        let server = try LoopbackServer()
        let base = try #require(URL(string: server.baseURL.absoluteString + "/?base=1"))
        let query: QueryItems = ["own": "3"]
        try await Teapot(baseURL: base).get("get?path=2#fragment", query: query)
        #expect(server.requests.map(\.target) == ["/get?base=1&path=2&own=3"])
    }
}
