extension Array {
    /// The elements in the order of their numbers; those with the same number stay in order.
    ///
    /// Places are sorted: the standard library's sorting is compiled once more for each type of element, to 4 KB.
    func sorted(byNumber number: (Element) -> Int) -> [Element] {
        guard count > 1 else { return self }
        let numbers = map(number)
        // Sorting is stable.
        return numbers.indices.sorted { numbers[$0] < numbers[$1] }.map { self[$0] }
    }
}

extension Dictionary where Key: Comparable {
    /// The pairs in the order of their keys, of which only the keys are sorted.
    var sortedByKey: [(key: Key, value: Value)] {
        keys.sorted().compactMap { key in self[key].map { (key, $0) } }
    }
}
