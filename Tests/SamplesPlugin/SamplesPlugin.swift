import Foundation
import PackagePlugin

/// Makes the samples of the pages part of the tests: see `SampleTool`.
@main
struct SamplesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        let templates = try files(below: root.appending(path: "Tests/DocumentationTests/Samples"), ".swift")
        let pages = try files(below: root.appending(path: "Sources"), ".md") + [root.appending(path: "README.md")]
        let output = context.pluginWorkDirectoryURL
        return [
            .buildCommand(
                displayName: "Putting the samples of the pages into their templates",
                executable: try context.tool(named: "SampleTool").url,
                arguments: [root.path, output.path] + templates.map(\.path),
                inputFiles: templates + pages,
                outputFiles: templates.map { output.appending(path: $0.lastPathComponent) }
            )
        ]
    }

    private func files(below folder: URL, _ ending: String) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.sorted()
            .map { folder.appending(path: $0) }
    }
}
