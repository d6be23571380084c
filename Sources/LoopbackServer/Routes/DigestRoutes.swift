/// The route for uploads that are too large to be echoed.
enum DigestRoutes {
    /// Bodies sent here are digested as they come and not kept.
    static let path = "/digest"

    static let all = [
        Route(["POST", "PUT"], path) { request, _ in
            let digest = request.bodyDigest ?? BodyDigest(request.body)
            return .json(["count": .raw(String(digest.count)), "digest": .string(digest.text)])
        }
    ]
}
