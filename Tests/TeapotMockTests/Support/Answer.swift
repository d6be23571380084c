import Teapot
import TestSupport
import Testing

/// The result that a closure verb of a mock called back with before it returned. Records an issue unless it did so exactly once.
func answer(
    of call: (@escaping @Sendable (NetworkResult) -> Void) -> URLSessionTask?,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> CallResult {
    let completions = Completions()
    _ = call(completions.take)
    return try onlyOne(completions.all, sourceLocation)
}

/// The result that an image verb of a mock called back with before it returned. Records an issue unless it did so exactly once.
func imageAnswer(
    of call: (@escaping @Sendable (NetworkImageResult) -> Void) -> URLSessionTask?,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> CallResult {
    let completions = Completions()
    _ = call(completions.takeImage)
    return try onlyOne(completions.all, sourceLocation)
}

private func onlyOne(_ results: [CallResult], _ sourceLocation: SourceLocation) throws -> CallResult {
    #expect(results.count == 1, "completions before the verb returned", sourceLocation: sourceLocation)
    return try #require(results.first, sourceLocation: sourceLocation)
}
