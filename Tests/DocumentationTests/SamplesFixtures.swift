import Foundation

extension Bundle {
    /// Stands in for the bundle that SwiftPM generates for a target with resources. The samples' mock files are made here, so
    /// that what is in them can be seen beside the samples.
    static let module = SamplesFixtures.bundle()
}

enum SamplesFixtures {
    private static let files = [
        "notes.json": #"[{"id": 1, "title": "Buy tea"}, {"id": 2, "title": "Descale the kettle"}]"#,
        "unknown-note.json": #"{"message": "There is no such note."}"#,
        "timestamp.json": #"{"timestamp": 1700000000}"#,
    ]

    /// One pixel.
    private static let image = """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
        """

    static func bundle() -> Bundle {
        let directory = FileManager.default.temporaryDirectory.appending(path: "teapot-documentation-samples")
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            for (name, text) in files {
                try Data(text.utf8).write(to: directory.appending(path: name), options: .atomic)
            }
            try Data(base64Encoded: image)?.write(to: directory.appending(path: "avatar.png"), options: .atomic)
        } catch {
            // The tests that need the files say which of them is missing.
        }
        return Bundle(path: directory.path) ?? .main
    }
}
