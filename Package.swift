// swift-tools-version: 6.2
import PackageDescription

/// One static executable: `REALM_STATIC=1` relinks with everything inside; otherwise it is the folder of libraries that come
/// before all others.
let staticLibraries = Context.environment["REALM_STATIC"].map { folder in
  folder == "1" ? [] : ["Core", "Glibc"].map { "\(folder)/libswift\($0).a" }
}
/// Fuzz targets have no `main`, so they exist only for a build that asks for them.
let isFuzzing = Context.environment["REALM_FUZZ"] != nil
/// The benchmarks' own program is nothing that a plain build needs.
let isBenchmarking = Context.environment["REALM_BENCH"] != nil

let swiftSettings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  // Swift's regular expressions are imported unasked, and linked whole then: 1.3 MB that nothing uses.
  .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
]

/// The program prints nothing by reflection, so that it carries no names of cases and fields. What tests print does.
let withoutNames = Context.environment["REALM_STATIC"] == "1" ? [] : ["-disable-reflection-metadata"]
/// Functions in sections of their own let the linker drop what nothing calls, among it what other programs could call.
/// Gaps stand only before those whose loops ask for it.
let functionSections: [SwiftSetting] = [
  .unsafeFlags(
    [
      "-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link", "-Xllvm",
      "-align-all-functions=1",
    ] + withoutNames,
    .when(configuration: .release))
]
/// A module's interface is made before its code, so that others compile beside it. They inline nothing of it but what is
/// declared for that.
let interfaceFirst: [SwiftSetting] = [
  .unsafeFlags(["-emit-module-separately-wmo", "-disable-cmo"], .when(configuration: .release))
]
/// Functions travel with the module, so that others inline and specialise them as if they were their own.
let inlinedElsewhere: [SwiftSetting] = [
  .unsafeFlags(["-enable-cmo-everything"], .when(configuration: .release))
]
/// Passes of Swift's optimiser that are left out.
func without(_ passes: String...) -> [SwiftSetting] {
  [
    .unsafeFlags(
      passes.flatMap { ["-Xllvm", "-sil-disable-pass=\($0)"] }, .when(configuration: .release))
  ]
}
/// Who may send what to other threads is checked in the tests' build; loads are looked at before anything is inlined, and again
/// behind it. Both take a moment for each function.
let checkedOnce = without("send-non-sendable", "mandatory-redundant-load-elimination")
/// Walks that call a closure for each block or node: one function for all closures, where each would get a copy of its own.
let sharedWalks = without("closure-specialize")
/// Swift has inlined what loops need before LLVM looks again: what LLVM would add is code, not speed.
let fewInlined: [SwiftSetting] =
  sharedWalks + [.unsafeFlags(["-Xllvm", "-inline-threshold=40"], .when(configuration: .release))]
/// For layers without loops over rows: half the code, and quicker to compile. What functions have in common becomes one of its own;
/// what can be taken out of a loop is looked for by LLVM alone, and counts of references stay where they meet after other passes.
let forSize: [SwiftSetting] =
  sharedWalks
  + without(
    "loop-invariant-code-motion", "bcopts", "retain-sinking", "release-hoisting", "late-release-hoisting")
  + [
    .unsafeFlags(
      ["-Osize", "-Xllvm", "-enable-machine-outliner=always"], .when(configuration: .release))
  ]

/// What a target hands on is a dependency of those that import it: while the one between is as before, nothing else would compile
/// them again.
func withHandedOn(_ names: [String]) -> [Target.Dependency] {
  var handedOn: [String] = []
  if names.contains("RealmFiles") || names.contains("RealmEngine") { handedOn += ["RealmValues"] }
  if names.contains("RealmEngine") { handedOn += ["RealmFiles", "RealmInspection"] }
  return (names + handedOn.filter { !names.contains($0) }).map { .byName(name: $0) }
}

func layer(
  _ name: String, _ dependencies: [String], exclude: [String] = [], settings: [SwiftSetting] = [],
  sharing: [SwiftSetting] = interfaceFirst, linkerSettings: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: withHandedOn(dependencies), exclude: exclude,
    swiftSettings: swiftSettings + functionSections + checkedOnce + sharing + settings,
    linkerSettings: linkerSettings)
}

/// Tests are compiled, not optimised: nearly all of their time is spent in what they test.
let unoptimized: SwiftSetting = .unsafeFlags(
  ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))

func tests(_ name: String, _ dependencies: [String], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: withHandedOn(dependencies), exclude: exclude,
    swiftSettings: [.enableUpcomingFeature("ExistentialAny"), unoptimized])
}

var targets: [Target] = [
  .systemLibrary(
    name: "CLibEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"]), .brew(["libedit"])]),
  .systemLibrary(
    name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(
    name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  .target(
    name: "CLibSQLite", dependencies: ["CPlatform"],
    linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("m", .when(platforms: [.linux]))]),
  .systemLibrary(
    name: "CLibEvent", pkgConfig: "libevent", providers: [.apt(["libevent-dev"]), .brew(["libevent"])]),
  .systemLibrary(
    name: "CLibZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
  .target(name: "CPlatform"),
  // The page that the server hands out, as its files lie in Page/.
  .target(name: "CPage", exclude: ["Page"]),
  .target(name: "CServer", dependencies: ["CLibEvent", "CPlatform"]),

  layer("ByteText", []),
  layer("RealmQueryLanguage", ["ByteText"], settings: forSize),
  layer("TextFormats", ["ByteText", "CLibYAML"]),
  // A walk through nodes is loads of few bytes: every module that stands on this one inlines what it has.
  layer("RealmValues", ["ByteText", "CPlatform"], exclude: ["Bytes/README.md"], sharing: inlinedElsewhere),
  layer("RealmFiles", ["ByteText", "RealmValues", "CPlatform", "CLibCrypto"], settings: forSize),
  // `check` shares only these with the engine, so that a mistake of the engine cannot hide from it.
  layer("RealmInspection", ["ByteText", "RealmFiles", "RealmValues"], settings: fewInlined),
  layer(
    "RealmEngine",
    ["ByteText", "RealmFiles", "RealmInspection", "RealmQueryLanguage", "TextFormats", "CPlatform"],
    exclude: ["Kernels", "Query", "Objects"].map { "\($0)/README.md" }, settings: fewInlined),
  layer(
    "RealmRecovery", ["ByteText", "CPlatform", "RealmEngine"], exclude: ["Salvage/README.md"],
    settings: forSize),
  layer(
    "Rendering",
    ["ByteText", "CPlatform", "RealmEngine", "RealmQueryLanguage", "RealmRecovery", "TextFormats"],
    settings: fewInlined),
  layer("RealmParts", ["ByteText", "RealmEngine", "RealmQueryLanguage"], settings: fewInlined),
  layer(
    "RealmSession", ["ByteText", "RealmEngine", "RealmQueryLanguage", "TextFormats"], settings: forSize),
  layer(
    "Migrations", ["ByteText", "RealmEngine", "RealmQueryLanguage", "RealmSession", "TextFormats"],
    settings: forSize),
  layer("FirstAid", ["ByteText", "RealmEngine", "RealmRecovery"], settings: forSize),
  layer("Parquet", ["ByteText", "CLibZstd"], settings: fewInlined),
  layer("RealmParquet", ["ByteText", "Parquet", "RealmEngine", "Rendering"], settings: fewInlined),
  layer(
    "RealmSQL",
    ["ByteText", "RealmEngine", "RealmQueryLanguage", "Rendering", "TextFormats", "CLibSQLite"],
    settings: forSize),
  layer(
    "RealmModels", ["ByteText", "RealmEngine", "Rendering", "RealmSQL", "TextFormats"], settings: forSize),
  layer(
    "RealmServer",
    [
      "ByteText", "CPage", "CPlatform", "CServer", "RealmEngine", "RealmModels", "RealmQueryLanguage",
      "RealmSession", "Rendering", "TextFormats",
    ], settings: forSize),
  layer("Arguments", ["ByteText"], settings: forSize),
  layer(
    "RealmCommands",
    [
      "Arguments", "ByteText", "FirstAid", "Migrations", "Parquet", "Rendering", "RealmEngine",
      "RealmParquet", "RealmQueryLanguage", "RealmModels", "RealmParts", "RealmRecovery", "RealmServer",
      "RealmSession", "RealmSQL", "TextFormats",
      "CPlatform", "CLibEdit",
    ],
    settings: forSize,
    linkerSettings: [
      .linkedLibrary("tinfo", .when(platforms: [.linux])),
      .linkedLibrary("bsd", .when(platforms: [.linux])),
      .linkedLibrary("md", .when(platforms: [.linux])),
    ]),
  .executableTarget(
    name: "realm-cli", dependencies: ["RealmCommands"], swiftSettings: swiftSettings,
    linkerSettings: staticLibraries.map { [.unsafeFlags(["-static-executable", "-use-ld=lld"] + $0)] } ?? []),

  .target(name: "TestSupport", dependencies: ["RealmValues"], path: "Tests/TestSupport"),
  // System calls that fail: C, because a process between fork and exec may not run Swift.
  .target(name: "FaultInjection", path: "Tests/FaultInjection"),
  tests("RealmQueryLanguageTests", ["RealmQueryLanguage", "TestSupport"]),
  tests("ByteTextTests", ["ByteText", "TestSupport"]),
  tests("TextFormatsTests", ["ByteText", "TextFormats", "TestSupport"]),
  tests(
    "RealmEngineTests",
    [
      "ByteText", "CLibCrypto", "CPlatform", "RealmEngine", "RealmQueryLanguage", "RealmRecovery",
      "TextFormats", "TestSupport",
    ]),
  tests(
    "RenderingTests",
    ["ByteText", "Rendering", "RealmEngine", "RealmQueryLanguage", "TestSupport", "TextFormats"]),
  tests("ParquetTests", ["ByteText", "Parquet", "TestSupport"]),
  tests("RealmPartsTests", ["RealmEngine", "RealmParts", "Rendering", "TestSupport"]),
  tests("RealmSQLTests", ["RealmEngine", "RealmSQL", "TestSupport"]),
  tests(
    "RealmSessionTests",
    [
      "ByteText", "RealmEngine", "RealmQueryLanguage", "RealmRecovery", "RealmSession", "TestSupport",
      "TextFormats",
    ]),
  tests(
    "MigrationsTests",
    [
      "Migrations", "RealmEngine", "RealmQueryLanguage", "RealmSession", "Rendering", "TestSupport",
      "TextFormats",
    ]),
  tests("ArgumentsTests", ["Arguments"]),
  tests(
    "CommandTests",
    [
      "ByteText", "RealmCommands", "RealmEngine", "RealmQueryLanguage", "RealmSQL", "Arguments", "CPlatform",
      "FaultInjection", "FirstAid", "TestSupport", "TextFormats",
    ]),
  tests("TidyTests", []),

  // Damaged files: what makes them, a process that may die of them, and the test that starts it.
  .target(
    name: "MutationSupport",
    dependencies: withHandedOn([
      "ByteText", "FirstAid", "Migrations", "RealmEngine", "RealmQueryLanguage", "RealmSQL", "RealmSession",
      "Rendering", "TestSupport", "TextFormats",
    ]),
    path: "Tests/MutationSupport",
    swiftSettings: [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    ]),
  .executableTarget(name: "realm-mutants", dependencies: ["MutationSupport"], path: "Tests/Mutants"),
  tests("MutationTests", ["realm-mutants", "TestSupport"]),
]

if isFuzzing {
  for (name, library) in [
    ("FuzzOpen", "MutationSupport"), ("FuzzPredicate", "RealmQueryLanguage"),
    ("FuzzRows", "MutationSupport"), ("FuzzObjects", "MutationSupport"),
  ] {
    targets.append(
      .executableTarget(
        name: name, dependencies: [.byName(name: library)], path: "Tests/Fuzz/\(name)",
        swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])]))
  }
}

if isBenchmarking {
  targets.append(
    .executableTarget(
      name: "QueryBench", dependencies: ["RealmEngine", "RealmQueryLanguage", "TestSupport"],
      path: "Tests/Benchmarks/QueryBench",
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

// `REALM_TESTS=RealmEngineTests,TidyTests` builds these test targets alone: most of a test build is other tests.
if let wanted = Context.environment["REALM_TESTS"]?.split(separator: ",").map(String.init) {
  targets.removeAll { $0.isTest && !wanted.contains($0.name) }
}

let package = Package(
  name: "realm-cli",
  // Arrays inside structures and spans of texts are in the system's library from here on.
  platforms: [.macOS(.v26)],
  products: [.executable(name: "realm-cli", targets: ["realm-cli"])],
  targets: targets,
  swiftLanguageModes: [.v6]
)
