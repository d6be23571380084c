import Foundation

/// The query of a request, decoded. Names are looked up without regard to case, as httpbin does.
struct Query {
    var pairs: [(name: String, value: String)]

    init(_ request: ReceivedRequest) {
        pairs = FormDecoder.pairs(request.query ?? "")
    }

    func value(_ name: String) -> String? {
        pairs.first { $0.name.isEqualIgnoringCase(to: name) }?.value
    }

    func integer(_ name: String) -> Int? {
        value(name).flatMap { Int($0) }
    }

    /// A time of no more than ten seconds, so that no route holds its thread for long.
    func seconds(_ name: String) -> TimeInterval? {
        value(name).flatMap(TimeInterval.init).map { min(max($0, 0), 10) }
    }
}
