import Teapot

/// An HTTP Archive, HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), as recorded by Teapot or exported by browsers.
///
/// Reading only needs the members for replay: browsers omit some, and add their own. Writing includes every required member.
/// Members that replay does not need are not kept here, but made when writing.
struct HAR {
    var entries: [HAREntry]
    var comment: String?
    /// The base URL of the recorded client; Teapot's own member.
    var baseURL: String?
}

extension HAR {
    /// Reads an archive. Throws `missingMockFile` if the file cannot be read, and `invalidMockFile`, with the place of
    /// the invalid member, if it is not a valid archive.
    static func read(_ file: URL) throws(TeapotError) -> HAR {
        let name = file.lastPathComponent
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw .missingMockFile(name, reason: "\(file.path) cannot be read")
        }
        do {
            return try JSONDecoder().decode(HAR.self, from: data)
        } catch {
            throw .invalidMockFile(name, reason: "not a valid HAR file: " + error.reason)
        }
    }

    /// The archive as bytes, always the same for the same entries.
    func encoded() throws(TeapotError) -> Data {
        var log: [String: Any] = [
            "version": "1.2", "creator": ["name": "Teapot", "version": "1"], "entries": entries.map(\.members),
        ]
        log.add(.comment, comment)
        log.add(.baseURL, baseURL)
        return try JSONWriter.data(of: ["log": log], isIndented: true) + [UInt8(ascii: "\n")]
    }
}

extension HAR: Decodable {
    init(from decoder: any Decoder) throws {
        let archive = try decoder.container(keyedBy: HARKey.self)
        let log = try archive.nestedContainer(keyedBy: HARKey.self, forKey: .log)
        var list = try log.nestedUnkeyedContainer(forKey: .entries)
        entries = []
        while !list.isAtEnd {
            do {
                entries.append(try list.decode(HAREntry.self))
            } catch {
                throw FailureReason("entry \(entries.count + 1): " + error.reason)
            }
        }
        comment = log.lenient(.comment)
        baseURL = log.lenient(.baseURL)
    }
}

/// The names of all members that are read: an enum for each object would be compiled to as much code again.
enum HARKey: String, CodingKey {
    case log, entries, comment, request, response, method, url, headers, postData, status, content
    case name, value, size, mimeType, text, encoding
    /// Teapot's own members. HAR has no encoding for the bodies of requests.
    case baseURL = "_baseURL"
    case error = "_error"
    case ownEncoding = "_encoding"
}

extension KeyedDecodingContainer<HARKey> {
    /// A member that may be missing, `null` or of another type.
    func lenient<Value: Decodable>(_ key: HARKey) -> Value? { try? decodeIfPresent(Value.self, forKey: key) }
}

extension [String: Any] {
    /// Adds a member if it has a value.
    @inline(never) mutating func add(_ name: HARKey, _ value: Any?) {
        if let value { updateValue(value, forKey: name.rawValue) }
    }
}
