/// What a process of its own took and held.
struct GrowthPoint: Codable, Sendable {
    /// What it is that grows: requests under way at once, or made at all.
    let count: Int
    /// How many were made.
    let requests: Int
    /// For each request.
    let microseconds: Double
    let processorMicroseconds: Double
    /// The most memory that it ever had, and what it had at the end, in bytes; `nil` where the system does not say.
    let peakMemory: Int?
    let residentMemory: Int?
}
