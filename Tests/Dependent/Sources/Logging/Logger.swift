// Names that Teapot has, too, in a module that is called like that of swift-log.

package struct Logger: Sendable {
    package let label: String

    package init(label: String) { self.label = label }
}

package enum JSON: Sendable { case null }

package protocol Transport: Sendable {}
