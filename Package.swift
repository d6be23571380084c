// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Teapot",
    defaultLocalization: "en",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Teapot", targets: ["Teapot"]),
        .library(name: "TeapotMock", targets: ["TeapotMock"]),
        .library(name: "TeapotCache", targets: ["TeapotCache"]),
        .library(name: "TeapotCurl", targets: ["TeapotCurl"]),
    ],
    targets: [
        // `Sources/Teapot/Resources` is a link to the top-level `Resources`. `.process` follows it; `.copy` does not.
        .target(
            name: "Teapot",
            dependencies: ["TeapotFoundation"],
            exclude: ["Call/README.md", "Transport/Linux/README.md"],
            resources: [.process("Resources")]
        ),
        .target(name: "TeapotFoundation"),
        .target(name: "TeapotMock", dependencies: ["Teapot"]),
        .target(name: "TeapotCache", dependencies: ["Teapot"]),
        .target(name: "CLibcurl"),
        .target(name: "TeapotCurl", dependencies: ["Teapot", "CLibcurl"]),
        .target(name: "LoopbackServer"),
        .executableTarget(
            name: "TeapotExample",
            dependencies: ["Teapot", "TeapotMock", "TeapotCache", "LoopbackServer"]
        ),
        .executableTarget(
            name: "TeapotBenchmark",
            dependencies: [
                "Teapot", "TeapotMock", "TeapotCache", "TeapotCurl", "CLibcurl", "LoopbackServer", "TestSupport",
            ],
            exclude: ["README.md"]
        ),
        .target(name: "TestSupport", dependencies: ["Teapot"], path: "Tests/TestSupport"),
        .target(name: "TestTraits", path: "Tests/TestTraits"),
        // A transport of somebody else, who has the public API only.
        .target(
            name: "ForeignTransport",
            dependencies: ["Teapot"],
            path: "Tests/ForeignTransport",
            packageAccess: false
        ),
        .testTarget(
            name: "TeapotTests",
            dependencies: ["Teapot", "TeapotCurl", "TeapotMock", "LoopbackServer", "TestSupport", "TestTraits"],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "TeapotCacheTests",
            dependencies: ["TeapotCache", "TeapotMock", "LoopbackServer", "TestSupport", "TestTraits"]
        ),
        .testTarget(
            name: "TeapotMockTests",
            dependencies: ["TeapotMock", "LoopbackServer", "TestSupport", "TestTraits"],
            resources: [.process("Fixtures")]
        ),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "Teapot", "TeapotMock", "TeapotCache", "TeapotCurl", "ForeignTransport", "LoopbackServer",
                "TestSupport",
                "TestTraits",
            ],
            resources: [.process("Fixtures")]
        ),
        .testTarget(
            name: "TeapotCurlTests",
            dependencies: ["TeapotCurl", "TeapotMock", "LoopbackServer", "TestSupport", "TestTraits"]
        ),
        .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer", "TestTraits"]),
        .testTarget(
            name: "TeapotBenchmarkTests",
            dependencies: ["Teapot", "TeapotBenchmark", "TestSupport", "TestTraits"]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Teapot", "TeapotMock", "TeapotCache", "TeapotCurl", "LoopbackServer", "TestSupport", "TestTraits",
            ],
            exclude: ["Samples"],
            resources: [.process("Fixtures")],
            plugins: ["SamplesPlugin"]
        ),
        // The code in `Samples`, with the samples of the pages put into it.
        .plugin(
            name: "SamplesPlugin",
            capability: .buildTool,
            dependencies: ["SampleTool"],
            path: "Tests/SamplesPlugin"
        ),
        .executableTarget(name: "SampleTool", path: "Tests/SampleTool"),
        // The code of an iOS app of 2018, in the language mode that it has.
        .testTarget(
            name: "MigrationTests",
            dependencies: ["Teapot", "TeapotMock", "LoopbackServer"],
            resources: [.process("Fixtures")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
    ],
    swiftLanguageModes: [.v6]
)

#if compiler(>=6.2)
    let importsArePublic: Set<String> = []
#else
    // Here a package declaration cannot use types of an internal import, though another file of Teapot exports them.
    let importsArePublic: Set = ["Teapot"]
#endif

for target in package.targets where target.name != "MigrationTests" && target.type != .plugin {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if !importsArePublic.contains(target.name) {
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        target.swiftSettings?.append(.enableUpcomingFeature("InternalImportsByDefault"))
    }
}
