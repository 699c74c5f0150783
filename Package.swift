// swift-tools-version: 6.2
import PackageDescription

/// One static executable: `REALM_STATIC=1` relinks with everything inside.
let isStatic = Context.environment["REALM_STATIC"] != nil
/// Fuzz targets have no `main`, so they exist only for a build that asks for them.
let isFuzzing = Context.environment["REALM_FUZZ"] != nil

let swiftSettings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableExperimentalFeature("Lifetimes"),
]

func layer(
  _ name: String, _ dependencies: [Target.Dependency], linkerSettings: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: swiftSettings,
    linkerSettings: linkerSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude,
    swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
}

var targets: [Target] = [
  .systemLibrary(
    name: "CLibEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
  .systemLibrary(
    name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  .systemLibrary(
    name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
  .target(name: "CPlatform"),

  layer("ByteText", []),
  layer("RealmQueryLanguage", ["ByteText"]),
  layer("TextFormats", ["ByteText", "CLibYAML"]),
  layer("RealmEngine", ["ByteText", "RealmQueryLanguage", "CPlatform", "CLibCrypto"]),
  layer("Rendering", ["ByteText", "RealmEngine", "TextFormats"]),
  layer("Arguments", ["ByteText"]),
  layer(
    "RealmCommands",
    [
      "Arguments", "ByteText", "Rendering", "RealmEngine", "RealmQueryLanguage", "TextFormats",
      "CPlatform", "CLibEdit",
    ],
    linkerSettings: [
      .linkedLibrary("tinfo", .when(platforms: [.linux])),
      .linkedLibrary("bsd", .when(platforms: [.linux])),
      .linkedLibrary("md", .when(platforms: [.linux])),
    ]),
  .executableTarget(
    name: "realm-cli", dependencies: ["RealmCommands"], swiftSettings: swiftSettings,
    linkerSettings: isStatic ? [.unsafeFlags(["-static-executable", "-use-ld=lld"])] : []),

  .target(name: "TestSupport", path: "Tests/TestSupport"),
  tests("RealmQueryLanguageTests", ["RealmQueryLanguage", "TestSupport"]),
  tests("ByteTextTests", ["ByteText", "TestSupport"]),
  tests("TextFormatsTests", ["ByteText", "TextFormats", "TestSupport"]),
  tests("RealmEngineTests", ["ByteText", "RealmEngine", "RealmQueryLanguage", "TestSupport"]),
  tests("RenderingTests", ["ByteText", "Rendering", "RealmEngine", "TextFormats"]),
  tests("ArgumentsTests", ["Arguments"]),
  tests("CommandTests", ["RealmCommands", "Arguments", "CPlatform", "TestSupport"]),
  tests("TidyTests", []),
]

let package = Package(
  name: "realm-cli",
  products: [.executable(name: "realm-cli", targets: ["realm-cli"])],
  targets: targets,
  swiftLanguageModes: [.v6]
)
