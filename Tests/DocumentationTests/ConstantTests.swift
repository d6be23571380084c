import Foundation
import Testing

/// The numbers of the pages are those of the code.
struct ConstantTests {
    @Test(arguments: Constant.all)
    func `number agrees with code`(_ constant: Constant) throws {
        let (documented, declared) = (try constant.documented(), try constant.declared())
        let agree =
            documented.count == declared.count
            && zip(documented, declared).allSatisfy { abs($0 - $1) <= 1e-9 * abs($1) }
        #expect(agree, "\(constant.page.path) says \(documented), and the code \(declared): \(constant.page.text)")
    }

    /// The goals in the table of the benchmark.
    @Test func `goals agree with benchmark`() throws {
        let cases = try PackageFiles.files(below: "Sources/TeapotBenchmark/Cases") { $0.hasSuffix(".swift") }
            .flatMap(\.lines).joined(separator: " ")
        let declared = cases.matches(of: /\sname: [^,]*?"([a-z-]+)".*?\sgoal: ([0-9.]+|nil)/)
        let goals = Dictionary(declared.map { ($0.output.1, Double($0.output.2)) }) { first, _ in first }
        let rows = try PackageFiles.file("Sources/Teapot/Teapot.docc/Performance.md").lines
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == 12 && $0[0] != "case" && !$0[0].hasPrefix("---") }
        #expect(rows.count > 5)
        for row in rows {
            // The cases get-8 and get-64 are those of get.
            let goal = goals[Substring(row[0])] ?? goals[row[0].prefix { $0 != "-" }]
            #expect(goal == .some(Double(row[10].prefix { $0 != "," })), "\(row[0]): the page says \(row[10])")
        }
    }
}
