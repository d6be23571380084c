import Teapot

/// The samples of the README and the DocC pages. `SampleTests` looks for each of them here, as consecutive lines.
enum Samples {
    static func status(of response: HTTPURLResponse) -> Int {
        response.statusCode
    }
}
