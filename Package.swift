// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every Swift target: what the compiler can check, it checks.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// The product's own: it uses no regular expressions, and their library would be a tenth of it.
/// In the release build the linker drops what nobody calls, whichever module it is in.
let product =
    settings + [
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
        .unsafeFlags(
            ["-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections"],
            .when(configuration: .release)),
    ]

/// Rooms around the protocol run rarely and are made small; the protocol itself is made fast.
let small = product + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// What keeps the program small: equal functions once, relocations packed, no symbol exported,
/// no names of Unicode's characters (`Sources/CLinux/scalar_names.c`), and no index for unwinding,
/// which only C++ exceptions would need.
let linking: [LinkerSetting] = [
    .unsafeFlags([
        "-use-ld=lld", "-Xlinker", "--icf=all", "-Xlinker", "-z", "-Xlinker",
        "pack-relative-relocs", "-Xlinker", "--no-export-dynamic", "-Xlinker",
        "--no-eh-frame-hdr", "-Xlinker", "--wrap=_swift_stdlib_getScalarName",
    ]),
    .unsafeFlags(
        ["-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/scripts/no-unwinding.ld"],
        .when(configuration: .release)),
]

let package = Package(
    name: "matter-gateway",
    traits: [
        .trait(name: "MQTT", description: "Readings, alerts and commands over an MQTT broker"),
        .default(enabledTraits: ["MQTT"]),
    ],
    targets: [
        // What the product is made of; Sources/README.md is the map.
        .target(name: "Base", swiftSettings: product),
        .systemLibrary(name: "COpenSSL"),
        .target(name: "Crypto", dependencies: ["Base", "COpenSSL"], swiftSettings: product),
        .target(name: "Matter", dependencies: ["Base", "Crypto"], swiftSettings: product),

        .target(
            name: "MatterNode", dependencies: ["Base", "Crypto", "Matter"],
            swiftSettings: small),
        .target(
            name: "Gateway", dependencies: ["Base", "Crypto", "Matter", "MatterNode"],
            swiftSettings: small),

        .target(
            name: "CLinux",
            cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)]),
        .target(
            name: "CBluetooth",
            cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)]),
        .target(
            name: "CGPIOD",
            cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("gpiod")]),
        // Without the trait nothing is in it, and nothing is needed for it.
        .target(
            name: "CMosquitto",
            cSettings: [
                .define("CMOSQUITTO", .when(traits: ["MQTT"])), .enableWarning("all"),
                .treatAllWarnings(as: .error),
            ],
            linkerSettings: [
                .linkedLibrary("mosquitto", .when(traits: ["MQTT"])),
                .linkedLibrary("ssl", .when(traits: ["MQTT"])),
            ]),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CJansson"),
        .systemLibrary(name: "CQREncode"),
        .systemLibrary(name: "CINIH"),
        .target(
            name: "LinuxIO",
            dependencies: [
                "Base", "Crypto", "Matter", "MatterNode", "CLinux", "CBluetooth", "CGPIOD",
                "CMosquitto",
                "CSQLite", "CJansson", "CQREncode", "CINIH",
            ],
            swiftSettings: small),

        .target(
            name: "Wiring",
            dependencies: ["Base", "Crypto", "Matter", "MatterNode", "LinuxIO", "Gateway"],
            swiftSettings: small),
        .executableTarget(
            name: "matter-gateway", dependencies: ["LinuxIO", "Wiring"],
            swiftSettings: small, linkerSettings: linking),
        // Bluetooth between the two programs below, over local sockets.
        .target(
            name: "VirtualAir",
            dependencies: ["Base", "Crypto", "Matter", "MatterNode", "LinuxIO", "CLinux"],
            swiftSettings: small),
        // Not installed: the agent on a board that is drawn in the terminal.
        .executableTarget(
            name: "simulated-board",
            dependencies: [
                "Base", "Gateway", "LinuxIO", "Matter", "MatterNode", "VirtualAir", "Wiring",
            ],
            swiftSettings: small, linkerSettings: linking),

        // A Matter device in software for tests and demonstrations; no part of the product.
        .target(
            name: "VirtualDevice", dependencies: ["Base", "Crypto", "Matter", "MatterNode"],
            swiftSettings: settings),
        .executableTarget(
            name: "virtual-device",
            dependencies: [
                "Base", "Crypto", "Matter", "MatterNode", "LinuxIO", "VirtualAir",
                "VirtualDevice",
            ],
            swiftSettings: settings),

        // Tests; Tests/README.md tells how to run one and add a vector.
        .target(name: "TestVectors", path: "Tests/TestVectors", swiftSettings: settings),
        .testTarget(name: "BaseTests", dependencies: ["Base"], swiftSettings: settings),
        .testTarget(
            name: "CryptoTests", dependencies: ["Base", "Crypto", "TestVectors"],
            swiftSettings: settings),
        .testTarget(
            name: "MatterTests", dependencies: ["Base", "Crypto", "Matter", "TestVectors"],
            swiftSettings: settings),
        .target(
            name: "Simulation",
            dependencies: ["Base", "Crypto", "Matter", "MatterNode", "VirtualDevice"],
            path: "Tests/Simulation", swiftSettings: settings),
        .target(
            name: "CSeededRandom", path: "Tests/CSeededRandom",
            linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CHeapSize", path: "Tests/CHeapSize"),
        .target(
            name: "Scenarios",
            dependencies: [
                "Base", "CHeapSize", "CSeededRandom", "Crypto", "Gateway", "LinuxIO", "Matter",
                "MatterNode",
                "Simulation", "VirtualDevice",
            ], path: "Tests/Scenarios", swiftSettings: settings),
        .executableTarget(
            name: "simulation", dependencies: ["Scenarios", "Simulation"],
            path: "Tests/SimulationRunner",
            swiftSettings: settings),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Base", "Crypto", "Matter", "MatterNode", "Scenarios", "Simulation"],
            swiftSettings: settings),
        .testTarget(
            name: "MatterNodeTests",
            dependencies: [
                "Base", "Crypto", "Matter", "MatterNode", "Simulation", "VirtualDevice",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "VirtualDeviceTests",
            dependencies: [
                "Base", "Crypto", "Matter", "MatterNode", "Simulation", "VirtualDevice",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LinuxIOTests",
            dependencies: ["Base", "CLinux", "Crypto", "Matter", "MatterNode", "LinuxIO"],
            swiftSettings: settings),

        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .testTarget(
            name: "AllocationTests",
            dependencies: [
                "Base", "Crypto", "Gateway", "Matter", "MatterNode", "CAllocationCounter",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "benchmark", dependencies: ["Base", "CAllocationCounter", "Crypto", "Matter"],
            path: "Tests/Benchmark", swiftSettings: settings),
        .testTarget(name: "TidyTests", swiftSettings: settings),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Base", "Crypto", "Gateway", "Matter", "MatterNode", "Simulation",
                "TestVectors", "VirtualDevice",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WiringTests", dependencies: ["Gateway", "MatterNode", "Wiring"],
            swiftSettings: settings),
    ]
)

// With libFuzzer, which every module is built for then, for scripts/fuzz alone; without it the same
// targets take inputs that are made from their seeds.
let hasFuzzer = Context.environment["FUZZ"] != nil
if hasFuzzer { package.targets.append(.target(name: "CFuzzer", path: "Tests/CFuzzer")) }
package.targets.append(
    .executableTarget(
        name: "fuzz",
        dependencies: [
            "Base", "Crypto", "Gateway", "LinuxIO", "Matter", "MatterNode", "Simulation",
        ] + (hasFuzzer ? ["CFuzzer"] : []),
        path: "Tests/Fuzz", exclude: ["seeds.py"],
        swiftSettings: settings + (hasFuzzer ? [.define("FUZZER")] : []),
        linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
