// `migrations.sum`: what the files of a directory were when somebody last looked. Layer: Migrations, Chain.
// One line a file: its name, the digest of its bytes, the fingerprints of the schema before and after it (`-` where they
// are not known); before them the digest of all these lines.

import ByteText
package import RealmEngine
import RealmSession

package enum SumFile {
  private static let heading = "realm-migrations-sum 1"

  /// The text of the file as it should be.
  package static func text(
    _ folder: MigrationFolder, _ schemas: [StepSchemas]
  ) throws(EngineError) -> String {
    var lines: [String] = []
    for (step, schemas) in zip(folder.chain.steps, schemas) {
      let before = try schemas.before?.fingerprint() ?? "-"
      let after = try schemas.after?.fingerprint() ?? "-"
      lines.append("\(name(step.source)) sha256:\(try digest(step.source.bytes)) \(before) \(after)")
    }
    let list = lines.joined(separator: "\n") + "\n"
    return "\(heading)\nlist sha256:\(try digest(Array(list.utf8)))\n\(list)"
  }

  /// What tells the file that stands there from the one that should. Schemas count where both know them.
  package static func differences(
    _ found: String, from expected: String
  ) throws(EngineError) -> [String] {
    let old = entries(found)
    let new = entries(expected)
    var differences: [String] = []
    for (name, rest) in new {
      guard let before = old.first(where: { $0.name == name })?.rest.split(separator: " ") else {
        differences.append("\(name)\(additionWords)")
        continue
      }
      let after = rest.split(separator: " ")
      if before.first != after.first {
        differences.append("\(name) was changed")
      } else if zip(before, after).contains(where: { $0 != $1 && $0 != "-" && $1 != "-" }) {
        differences.append("\(name) starts or ends with another schema")
      }
    }
    for (name, _) in old where !new.contains(where: { $0.name == name }) {
      differences.append("\(name) no longer exists")
    }
    if !differences.isEmpty { return differences }
    return try isWhole(found, like: old.map(\.name) == new.map(\.name))
      ? [] : ["\(MigrationFolder.sumFileName) itself was changed"]
  }

  private static let additionWords = " is new"

  /// Whether a difference is a step that came after the sums were written, and none that was changed.
  package static func isAddition(_ difference: String) -> Bool { difference.hasSuffix(additionWords) }

  /// Whether a list is what its own digest says, in the order of the chain.
  private static func isWhole(_ found: String, like isOrdered: Bool) throws(EngineError) -> Bool {
    let lines = found.split(separator: "\n", omittingEmptySubsequences: false)
    guard isOrdered, lines.count > 2, lines[0] == heading else { return false }
    let list = lines.dropFirst(2).joined(separator: "\n")
    return lines[1] == "list sha256:\(try digest(Array(list.utf8)))"
  }

  /// The fingerprint that the schema has at `version`, as the sums tell; nil where they do not.
  package static func fingerprint(
    at version: Int64, in found: String, of chain: MigrationChain
  ) -> String? {
    for (name, rest) in entries(found) {
      let words = rest.split(separator: " ")
      guard words.count == 3, let step = chain.steps.first(where: { Self.name($0.source) == name }) else {
        continue
      }
      let fingerprint = step.to == version ? words[2] : step.from == version ? words[1] : "-"
      if fingerprint != "-" { return String(fingerprint) }
    }
    return nil
  }

  /// The steps that are not as they were when the sums were written. New ones are on their way.
  package static func changedSteps(_ folder: MigrationFolder) throws(EngineError) -> [MigrationFile] {
    guard let found = try folder.sums() else { return [] }
    let entries = entries(found)
    var changed: [MigrationFile] = []
    for step in folder.chain.steps {
      guard let entry = entries.first(where: { $0.name == name(step.source) }),
        try !entry.rest.hasPrefix("sha256:\(digest(step.source.bytes)) ")
      else { continue }
      changed.append(step)
    }
    return changed
  }

  /// Warns of files that are not as they were when the sums were written.
  package static func check(_ folder: MigrationFolder) throws(EngineError) {
    guard let found = try folder.sums() else { return }
    let entries = entries(found)
    let changed = try changedSteps(folder).map(\.source.name)
    for (step, report) in zip(folder.chain.steps, folder.reports) where changed.contains(step.source.name) {
      report.warn(
        "the file was changed since \(MigrationFolder.sumFileName) was written", at: .start,
        hint: "a step that was applied must not change; write a new one")
    }
    for (gone, _) in entries where !folder.sources.contains(where: { name($0) == gone }) {
      folder.reports.first?.warn(
        "\(MigrationFolder.sumFileName) names \(gone), which no longer exists", at: .start)
    }
  }

  private static func entries(_ text: String) -> [(name: String, rest: String)] {
    text.split(separator: "\n").dropFirst(2).map { line in
      let name = line.prefix { $0 != " " }
      return (String(name), String(line.dropFirst(name.count + 1)))
    }
  }

  private static func name(_ source: DocumentSource) -> String {
    String(decoding: FilePath(source.name).lastComponent, as: UTF8.self)
  }

  private static func digest(_ bytes: [UInt8]) throws(EngineError) -> String {
    var buffer = ByteBuffer()
    buffer.append(bytes)
    let digest = SHA256Digest()
    digest.update(buffer)
    var text = ByteBuffer()
    for byte in digest.finish() { text.append(hexadecimal: byte) }
    return text.text
  }
}
