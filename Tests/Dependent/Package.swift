// swift-tools-version: 6.0

import PackageDescription

/// A package that depends on Teapot the way an app's package does.
let package = Package(
    name: "Dependent",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [
        // The name, because the directory of a checkout can be called anything.
        .package(name: "Teapot", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Dependent",
            dependencies: [
                .product(name: "Teapot", package: "Teapot"),
                .product(name: "TeapotCache", package: "Teapot"),
                .product(name: "TeapotMock", package: "Teapot"),
            ]
        ),
        .executableTarget(
            name: "CurlDependent",
            dependencies: [
                .product(name: "Teapot", package: "Teapot"),
                .product(name: "TeapotCurl", package: "Teapot"),
            ]
        ),
        // The first sample of the README, which is a whole program.
        .executableTarget(
            name: "Readme",
            dependencies: [
                .product(name: "Teapot", package: "Teapot"),
                .product(name: "TeapotCurl", package: "Teapot"),
            ]
        ),
        // A module with names that Teapot has, too.
        .target(name: "Logging"),
        .target(name: "Networking"),
        .testTarget(
            name: "DependentTests",
            dependencies: [
                "Logging", "Networking",
                .product(name: "Teapot", package: "Teapot"),
                .product(name: "TeapotMock", package: "Teapot"),
            ],
            resources: [.process("Fixtures")]
        ),
        // As an app in Swift 5 mode has it: a warning would be one in each of its completions.
        .testTarget(
            name: "DependentSwift5Tests",
            dependencies: [
                .product(name: "Teapot", package: "Teapot"),
                .product(name: "TeapotMock", package: "Teapot"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
