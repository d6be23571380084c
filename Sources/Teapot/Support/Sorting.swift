/// The standard library's sorting is compiled once more for each type of element and each closure, to 4 KB. So only places are sorted.
package enum Sorting {
    /// The places of a list in an order. Equal ones stay in their order.
    @inline(never) package static func places(_ count: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
        (0..<count).sorted(by: isBefore)
    }
}

extension Array {
    func sorted(byPlace isBefore: (Int, Int) -> Bool) -> [Element] {
        count > 1 ? Sorting.places(count, isBefore).map { self[$0] } : self
    }
}

extension Dictionary where Key: Comparable {
    var sortedByKey: [(key: Key, value: Value)] {
        let pairs = Array(self)
        return pairs.sorted(byPlace: { pairs[$0].key < pairs[$1].key })
    }
}
