import Foundation

/// The routes that answer with a body of a kind.
enum BodyRoutes {
    static let all = [
        Route(["GET"], "image/png") { _, _ in Response(contentType: "image/png", body: SampleImages.png) },
        Route(["GET"], "image/jpeg") { _, _ in Response(contentType: "image/jpeg", body: SampleImages.jpeg) },
    ]
}
