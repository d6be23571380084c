import Teapot

/// One exchange of an archive.
struct HAREntry: Decodable {
    var request: HARRequest
    var response: HARResponse

    /// The members to write. With times, two recordings of the same traffic would differ.
    var members: [String: Any] {
        [
            "startedDateTime": "1970-01-01T00:00:00.000Z", "time": 0, "cache": [String: Any](),
            "timings": ["send": 0, "wait": 0, "receive": 0],
            "request": request.members, "response": response.members,
        ]
    }
}
