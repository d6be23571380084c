@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct MessageTemplateTests {
    @Test(
        arguments: [
            ("No placeholder.", [], "No placeholder."),
            ("Said: %@.", ["a"], "Said: a."),
            ("%@%@", ["a", "b"], "ab"),
            ("%d %i %u %ld %lld", ["1", "2", "3", "4", "5"], "1 2 3 4 5"),
            ("%2$@ before %1$d", ["1", "b"], "b before 1"),
            ("%1$@ %1$@", ["a"], "a a"),
            ("%1$lld %2$ld", ["1", "2"], "1 2"),
            ("%2$@ %@ %@", ["a", "b"], "b a b"),
            ("发生错误：%@。😀", ["é"], "发生错误：é。😀"),
            ("%@\u{301}", ["e"], "e\u{301}"),
            ("Just %@.", ["a", "b", "c"], "Just a."),
            // Two percent signs are one.
            ("100%% of it", [], "100% of it"),
            ("%%", ["a"], "%"),
            ("%%@", ["a"], "%@"),
            ("%%%@", ["a"], "%a"),
            // A placeholder that has no argument stays.
            ("%@ %@ %d", ["a"], "a %@ %d"),
            ("%3$@ %1$@", ["a", "b"], "%3$@ a"),
            ("%0$@", ["a"], "%0$@"),
            ("%9223372036854775807$@", ["a"], "%9223372036854775807$@"),
            ("%99999999999999999999999$@", ["a"], "%99999999999999999999999$@"),
        ] as [(String, [String], String)]
    )
    func `takes its arguments`(_ template: String, _ arguments: [String], _ text: String) {
        #expect(MessageTemplate.filled(template, with: arguments) == text)
    }

    @Test(arguments: [
        "100% sure", "%n", "%", "at the end %", "%s", "%x %f %p %c", "% d", "%5d", "%.2f", "%-@", "%*d", "%1$", "%1@",
        "%$@",
        "%1$n", "%1$%", "%l", "%ll", "%lx", "%hd", "%lu", "%D", "%٣$@", "％@",
    ])
    func `takes any other percent sign as text`(_ template: String) {
        #expect(MessageTemplate.filled(template, with: ["a", "b"]) == template)
    }

    @Test(arguments: ["%@", "%1$@", "%%", "%n", "%"])
    func `does not search its arguments`(_ argument: String) {
        #expect(MessageTemplate.filled("%@ and %@", with: [argument, "b"]) == "\(argument) and b")
    }
}
