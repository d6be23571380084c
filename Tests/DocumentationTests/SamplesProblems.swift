import Teapot

/// The sample of problem details in the article "Async calls and Codable". `SamplesRunProblemsTests` runs it.
enum ProblemSamples {
    static func show(_ error: TeapotError, show: (String) -> Void) {
        if let problem = error.problem {
            show("\(problem.title ?? problem.type): \(problem.detail ?? "no details")")
        }
    }
}
