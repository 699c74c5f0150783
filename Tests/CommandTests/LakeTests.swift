// Exported Parquet in other programs: a script compares what pyarrow and DuckDB read with `export --format jsonl`. It runs where
// both are installed, for the interpreter that REALM_LAKE_PYTHON names.

import Foundation
import TestSupport
import Testing

@Suite("Parquet in other programs")
struct LakeTests {
  /// Nil where something is missing.
  private static let python = interpreter(importing: "duckdb, pyarrow")
  private static let sparkPython = interpreter(importing: "pyspark")

  private static func interpreter(importing modules: String) -> URL? {
    let named = ProcessInfo.processInfo.environment["REALM_LAKE_PYTHON"]
    let own = RealmProcess.packageRoot.appendingPathComponent(".build/lake/bin/python3").path
    for path in [named, own, "/usr/bin/python3"].compactMap({ $0 }) {
      guard FileManager.default.isExecutableFile(atPath: path) else { continue }
      let url = URL(fileURLWithPath: path)
      let found = try? RealmProcess.run(url, ["-c", "import \(modules)"], in: RealmProcess.fixtures)
      if found?.status == 0 { return url }
    }
    return nil
  }

  @Test("pyarrow and DuckDB read what jsonl says", .slow, .enabled(if: python != nil))
  func compare() throws {
    guard let python = Self.python else { return }
    let script = RealmProcess.packageRoot.appendingPathComponent("Tests/lake/compare.py").path
    let result = try RealmProcess.run(
      python, [script, RealmProcess.executable.path, RealmProcess.fixtures.path], in: RealmProcess.fixtures)
    #expect(result.status == 0 && result.outputText.contains("agree"), "\(result)")
  }

  @Test(
    "a Spark cluster makes one data set of many realms, though a worker dies", .long,
    .enabled(if: sparkPython != nil))
  func spark() throws {
    guard let python = Self.sparkPython else { return }
    let script = RealmProcess.packageRoot.appendingPathComponent("Tests/lake/spark.py").path
    let realm = RealmProcess.fixtures.appendingPathComponent("zoo.realm").path
    let result = try RealmProcess.run(
      python, [script, RealmProcess.executable.path, realm, "1000"], in: RealmProcess.fixtures)
    #expect(result.status == 0 && result.outputText.contains("1000 realms"), "\(result)")
  }
}
