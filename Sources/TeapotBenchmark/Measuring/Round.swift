/// How long the two took in one round, in seconds per request.
struct Round {
    let baseline: Double
    let teapot: Double

    var ratio: Double { teapot / baseline }
}
