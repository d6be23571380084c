/// Header fields in the order in which they arrived, as UTF-8 in one buffer: only what somebody asks for becomes text.
package struct FieldLines: Sendable {
    private struct Line {
        let start, nameEnd: Int
        var end: Int
    }

    private var bytes: [UInt8] = []
    private var lines: [Line] = []

    package init(_ fields: [String: String] = [:]) {
        // Most headers are not larger; and malloc of glibc keeps blocks of up to 1,032 bytes at hand for each thread.
        bytes.reserveCapacity(960)
        lines.reserveCapacity(16)
        for (name, value) in fields { append(name, value) }
    }

    package mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
        lines.append(Line(start: start, nameEnd: start + name.count, end: bytes.count))
    }

    package mutating func append(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in value.withUTF8 { append(name: name, value: $0) } }
    }

    /// Whether the last line is that of a field.
    package func isLast(_ name: String) -> Bool { lines.last.map { has($0, name) } ?? false }

    /// Continues the value of the last line, after a blank if there is text on both sides.
    package mutating func extendLast(by value: UnsafeBufferPointer<UInt8>) {
        guard let last = lines.indices.last, !value.isEmpty else { return }
        if lines[last].end > lines[last].nameEnd { bytes.append(UInt8(ascii: " ")) }
        bytes.append(contentsOf: value)
        lines[last].end = bytes.count
    }

    /// Replaces a field by one of each value.
    package mutating func replace(_ name: String, with values: [String]) {
        remove([FieldName(name)])
        for value in values { append(name, value) }
    }

    /// Removes fields, with their bytes: they may be secrets. In one pass, as a server may send thousands.
    package mutating func remove(_ names: Set<FieldName>) {
        let kept = lines.filter { !names.contains(FieldName(name(of: $0))) }
        guard kept.count < lines.count else { return }
        let old = bytes
        bytes = []
        lines = []
        old.withUnsafeBufferPointer { old in
            for line in kept {
                let (name, value) = (old[line.start..<line.nameEnd], old[line.nameEnd..<line.end])
                append(name: UnsafeBufferPointer(rebasing: name), value: UnsafeBufferPointer(rebasing: value))
            }
        }
    }

    package func contains(_ name: String) -> Bool { lines.contains { has($0, name) } }

    /// The values of a field, each as it came.
    package func values(of name: String) -> [String] { lines.compactMap { has($0, name) ? value(of: $0) : nil } }

    /// The value of a field, all of a repeated one joined with a comma (RFC 9110, section 5.3); `nil` if it is missing.
    package func value(of name: String) -> String? {
        guard let first = lines.firstIndex(where: { has($0, name) }) else { return nil }
        return lines[(first + 1)...].reduce(into: value(of: lines[first])) { joined, line in
            if has(line, name) { joined += ", " + value(of: line) }
        }
    }

    /// The names and values, each as it came.
    package var all: [(name: String, value: String)] { lines.map { (name(of: $0), value(of: $0)) } }

    /// The values by name, as it came first.
    var joined: [String: String] {
        var values = [String: String](minimumCapacity: lines.count)
        // Among a few lines, a search takes less time than a table.
        let isShort = lines.count <= 24
        var table: [FieldName: Int] = [:]
        for (index, line) in lines.enumerated() {
            let name = name(of: line)
            let first = isShort ? lines[..<index].firstIndex { has($0, name) } : table[FieldName(name)]
            if let first {
                values[self.name(of: lines[first])]? += ", " + value(of: line)
            } else {
                values[name] = value(of: line)
                if !isShort { table[FieldName(name)] = index }
            }
        }
        return values
    }

    private func name(of line: Line) -> String { String(decoding: bytes[line.start..<line.nameEnd], as: UTF8.self) }
    private func value(of line: Line) -> String { String(decoding: bytes[line.nameEnd..<line.end], as: UTF8.self) }

    private func has(_ line: Line, _ name: String) -> Bool {
        // Most have another length.
        line.nameEnd - line.start == name.utf8.count
            && bytes.withUnsafeBufferPointer {
                FieldName.isSame(UnsafeBufferPointer(rebasing: $0[line.start..<line.nameEnd]), name)
            }
    }
}
