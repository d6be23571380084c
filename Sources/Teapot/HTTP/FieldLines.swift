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
        name.withUTF8 { nameBytes in value.withUTF8 { append(name: nameBytes, value: $0) } }
    }

    package func isLast(_ name: String) -> Bool { !lines.isEmpty && first(name, from: lines.count - 1) != nil }

    /// Continues the value of the last line, after a blank if there is text on both sides.
    package mutating func extendLast(by value: UnsafeBufferPointer<UInt8>) {
        guard let last = lines.indices.last, !value.isEmpty else { return }
        if lines[last].end > lines[last].nameEnd { bytes.append(UInt8(ascii: " ")) }
        bytes.append(contentsOf: value)
        lines[last].end = bytes.count
    }

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
        for line in kept {
            let moved = bytes.count - line.start
            bytes += old[line.start..<line.end]
            lines.append(Line(start: line.start + moved, nameEnd: line.nameEnd + moved, end: line.end + moved))
        }
    }

    package func contains(_ name: String) -> Bool { first(name) != nil }

    /// The values of a field, each as it came.
    package func values(of name: String) -> [String] {
        var values: [String] = []
        var next = first(name)
        while let index = next {
            values.append(value(of: lines[index]))
            next = first(name, from: index + 1)
        }
        return values
    }

    /// The value of a field, all of a repeated one joined with a comma (RFC 9110, section 5.3); `nil` if it is missing.
    package func value(of name: String) -> String? {
        guard let index = first(name) else { return nil }
        let isRepeated = first(name, from: index + 1) != nil
        return isRepeated ? values(of: name).joined(separator: ", ") : value(of: lines[index])
    }

    /// The names and values, each as it came.
    package var all: [(name: String, value: String)] { lines.map { (name(of: $0), value(of: $0)) } }

    /// The values by name, as it came first.
    var joined: [String: String] {
        var values = [String: String](minimumCapacity: lines.count)
        // Among a few lines, a search takes less time than a table.
        let isShort = lines.count <= 24
        var table: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            let name = name(of: line)
            let first = isShort ? first(name) : table[name.lowercased()]
            if let first, first < index {
                values[self.name(of: lines[first])]? += ", " + value(of: line)
            } else {
                values[name] = value(of: line)
                if !isShort { table[name.lowercased()] = index }
            }
        }
        return values
    }

    private func name(of line: Line) -> String { String(decoding: bytes[line.start..<line.nameEnd], as: UTF8.self) }
    private func value(of line: Line) -> String { String(decoding: bytes[line.nameEnd..<line.end], as: UTF8.self) }

    @inline(never) private func first(_ name: String, from start: Int = 0) -> Int? {
        let length = name.utf8.count
        return bytes.withUnsafeBufferPointer { bytes in
            // Most names have another length.
            for index in start..<lines.count where lines[index].nameEnd - lines[index].start == length {
                let other = bytes[lines[index].start..<lines[index].nameEnd]
                if FieldName.isSame(UnsafeBufferPointer(rebasing: other), name) { return index }
            }
            return nil
        }
    }
}
