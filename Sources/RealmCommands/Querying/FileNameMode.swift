// Which mode the name of a result's file asks for. Layer: RealmCommands, Querying.

import RealmEngine
import Rendering

extension OutputMode {
  /// By the ending of the name; nil where that says nothing. Throws for endings of formats that are not written: a file of
  /// that name would not hold what it promises.
  static func named(by path: FilePath) throws(Diagnostic) -> OutputMode? {
    let parts = String(decoding: path.lastComponent, as: UTF8.self).split(separator: ".")
    guard parts.count > 1, let ending = parts.last?.lowercased() else { return nil }
    guard !unwritable.contains(ending) else {
      throw Diagnostic.usage(
        "\(path.displayName) – cannot write results as \(ending)",
        hint: ending == "parquet"
          ? "'realm-cli export FILE CLASS' and 'realm-cli sql FILE SQL' do"
          : "use one of .csv, .tsv, .json, .jsonl, .md, .html, .sql")
    }
    return switch ending {
    case "csv": .csv
    case "tsv", "tab": .tsv
    case "json": .json
    case "jsonl", "ndjson": .jsonl
    case "md", "markdown": .markdown
    case "html", "htm": .html
    case "sql": .sql
    default: nil
    }
  }

  private static let unwritable = [
    "xls", "xlsx", "ods", "numbers", "parquet", "arrow", "feather", "avro", "sqlite", "sqlite3", "db",
    "duckdb",
    "realm", "xml", "yaml", "yml",
    "pdf", "doc", "docx", "gz", "zip", "zst", "bz2", "xz",
  ]
}
