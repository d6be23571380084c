import Foundation

// Names that Teapot has, too, in a module that is called like that of swift-log, and in its shape.

package struct Logger: Sendable {
    package enum Level: Sendable { case trace, debug, info, notice, warning, error, critical }

    package struct Message: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
        package let description: String

        package init(stringLiteral value: String) { description = value }
    }

    package enum MetadataValue: Sendable, Hashable, ExpressibleByStringInterpolation {
        case string(String)

        package init(stringLiteral value: String) { self = .string(value) }
    }

    package typealias Metadata = [String: MetadataValue]

    package let label: String
    /// Everything that was logged: level, message and metadata.
    package static let written = Written()

    package init(label: String) { self.label = label }

    package func log(
        level: Level,
        _ message: @autoclosure () -> Message,
        metadata: @autoclosure () -> Metadata? = nil
    ) {
        Self.written.append((level, message(), metadata() ?? [:]))
    }
}

package final class Written: @unchecked Sendable {
    package typealias Entry = (level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata)

    private let lock = NSLock()
    private var entries: [Entry] = []

    package func append(_ entry: Entry) { lock.withLock { entries.append(entry) } }
    package var all: [Entry] { lock.withLock { entries } }
}

package enum JSON: Sendable { case null }

package protocol Transport: Sendable {}
