/// How far a block's lines can be found as consecutive lines of some file.
struct Search {
    /// How many of the block's lines, from its first, stand in the best place. All of them when the block was found.
    private(set) var matched = 0

    /// The best place's file.
    private(set) var path: String?

    init(for lines: [String], in files: [TextFile]) {
        for file in files {
            let candidates = file.significantLines
            for start in candidates.indices {
                let count = zip(lines, candidates[start...]).prefix { $0 == $1 }.count
                if count > matched {
                    matched = count
                    path = file.path
                }
            }
        }
    }
}
