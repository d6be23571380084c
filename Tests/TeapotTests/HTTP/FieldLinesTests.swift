@testable import Teapot
import Testing

struct FieldLinesTests {
    /// Few are compared with each other, and many are looked up in a table.
    @Test(arguments: [0, 20, 21, 22, 23, 5_000])
    func `the values of a field are joined under the name that came first, in any case`(others: Int) {
        var lines = FieldLines()
        lines.append("X-Tea", "green")
        for index in 0..<others { lines.append("X-\(index)", "\(index)") }
        lines.append("x-tea", "black")
        lines.append("Y-Tea", "")
        lines.append("X-TEA", "white")
        var expected = ["X-Tea": "green, black, white", "Y-Tea": ""]
        for index in 0..<others { expected["X-\(index)"] = "\(index)" }
        #expect(lines.joined == expected)
    }
}
