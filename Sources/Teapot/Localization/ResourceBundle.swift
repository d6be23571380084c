import Foundation

/// Finds the bundle with Teapot's own strings.
/// `Bundle.module` ends the process if the bundle is not in its build directory, for example in a program that was moved.
enum ResourceBundle {
    /// Marks the binary that Teapot is linked into.
    private final class Marker {}

    /// Teapot's own bundle, found once; nil if the program lacks it.
    static let own: Bundle? = {
        let bundle = Bundle(for: Marker.self)
        return find(in: [
            Bundle.main.resourceURL, Bundle.main.bundleURL, bundle.resourceURL, bundle.bundleURL,
            bundle.bundleURL.deletingLastPathComponent(),
        ])
    }()

    static func find(in directories: [URL?]) -> Bundle? {
        for case let directory? in directories {
            // SwiftPM names the bundle for the package and the target: `.resources` on Linux, `.bundle` on Apple platforms.
            for name in ["Teapot_Teapot.resources", "Teapot_Teapot.bundle"] {
                if let bundle = Bundle(url: directory.appendingPathComponent(name)) { return bundle }
            }
        }
        return nil
    }
}
