public import Teapot

extension Teapot.Request {
    /// The request with options changed: `Teapot.Request(path: "a").with { $0.timeoutInterval = 1 }`.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var request = self
        change(&request)
        return request
    }
}
